import assert from "node:assert/strict";
import { keys } from "../kv/keys.ts";
import { type QueueHarness, queueHarness } from "../../../dev/testing/queue_harness.ts";
import { tempKv } from "../../../dev/testing/temp_kv.ts";
import { type ActivationRow, createParking, type Parking, resumed } from "./parking.ts";

const ERASURES = new Set(["cfbe_erasure"] as const);

interface Harness extends QueueHarness {
  parking: Parking;
  switchTo(active: boolean): Promise<void>;
}

async function parkingHarness(test: (harness: Harness) => Promise<void>): Promise<void> {
  await using temp = await tempKv();
  const harness = queueHarness(temp.kv);
  await test({
    ...harness,
    parking: createParking(harness),
    async switchTo(active) {
      await temp.kv.set(keys.activation(), { v: 1, active, at: harness.clock.now() } satisfies ActivationRow);
    },
  });
}

Deno.test("while deactivated, a claim takes only the allowed jobs and parks the other due ones", async () => {
  await parkingHarness(async ({ add, queue, switchTo, index, clock }) => {
    await add({ id: "a" });
    await add({ id: "b", name: "cfbe_erasure" });
    await add({ id: "later", due: clock.now() + 1_000 });
    await switchTo(false);
    assert.deepEqual((await queue.claim(8, ERASURES)).map(({ row }) => row.id), ["b"]);
    assert.deepEqual(await index(), ["later waiting", "b running", "a parked"]);
    assert.equal(await queue.nextDue(), clock.now() + 1_000, "parked jobs are not due");
    assert.deepEqual((await queue.list({ state: "parked" })).rows.map(({ id }) => id), ["a"]);
    assert.equal((await queue.counts()).parked, 1);
  });
});

Deno.test("hundreds of jobs are parked and resumed with their payloads, each exactly once", async () => {
  await parkingHarness(async ({ add, queue, switchTo, parking, index, clock }) => {
    const tomorrow = clock.now() + 24 * 3_600_000;
    for (let n = 0; n < 200; n++) await add({ id: `job-${n}`, payload: n, due: n % 2 ? 0 : tomorrow });
    await add({ id: "e", name: "cfbe_erasure", due: tomorrow });
    await switchTo(false);
    const counts = await Promise.all([parking.park(ERASURES), parking.park(ERASURES)]);
    assert.equal(counts[0]! + counts[1]!, 200);
    assert.equal((await index()).filter((entry) => entry.endsWith(" parked")).length, 200);
    await switchTo(true);
    assert.equal(await parking.resume(), 200);
    assert.equal(await parking.resume(), 0);
    assert.deepEqual([(await queue.get("job-7"))?.payload, (await queue.get("job-7"))?.due], [
      7,
      clock.now(),
    ]);
    assert.equal((await queue.get("job-8"))?.due, tomorrow, "its due time is still in the future");
  });
});

Deno.test("a process that acts on an outdated state moves no jobs", async () => {
  await parkingHarness(async ({ add, switchTo, parking, index }) => {
    await add({ id: "a" });
    assert.equal(await parking.park(ERASURES), 0, "active");
    await switchTo(false);
    await parking.park(ERASURES);
    assert.equal(await parking.resume(), 0, "deactivated");
    assert.deepEqual(await index(), ["a parked"]);
  });
});

Deno.test("a job whose process died is parked with its lease, and resumed with what was added while it ran", async () => {
  await parkingHarness(async ({ add, queue, switchTo, parking, clock }) => {
    await add({ id: "a", payload: "first" });
    await queue.claim(1);
    await add({ id: "a", payload: "second" });
    await switchTo(false);
    await clock.advance(60_000);
    assert.equal((await queue.claim(1)).length, 0);
    await switchTo(true);
    assert.equal(await parking.resume(), 1);
    const [again] = await queue.claim(1);
    assert.deepEqual([again!.row.payload, again!.row.attempts, again!.row.unknown], ["first", 2, true]);
    assert.deepEqual(await queue.finish(again!, { kind: "done" }), { kind: "again" });
    assert.equal((await queue.claim(1))[0]!.row.payload, "second");
  });
});

Deno.test("a job added while deactivated is merged into the parked job", async () => {
  await parkingHarness(async ({ add, queue, switchTo, parking, index }) => {
    const merge = (older: number[], newer: number[]) => [...older, ...newer];
    await add({ id: "a", payload: [1], merge });
    await switchTo(false);
    await parking.park(ERASURES);
    assert.equal(await add({ id: "a", payload: [2], merge, parked: true }), "merged");
    await add({ id: "b", parked: true });
    assert.deepEqual(await index(), ["b parked", "a parked"].toSorted());
    await switchTo(true);
    await parking.resume();
    assert.deepEqual((await queue.get("a"))?.payload, [1, 2]);
  });
});

Deno.test("a resumed job that waited for its retry is due at once, but not before the time that the provider asked for", async () => {
  await parkingHarness(async ({ add, queue, clock }) => {
    const now = clock.now();
    const tomorrow = now + 24 * 3_600_000;
    await add({ id: "job", due: tomorrow });
    const row = { ...(await queue.get("job"))!, state: "parked" as const };
    const failed = { ...row, failures: 2, since: now };
    assert.equal(resumed(failed, now).due, now);
    assert.equal(resumed({ ...failed, notBefore: now + 5_000 }, now).due, now + 5_000);
    assert.equal(resumed(row, now).due, tomorrow, "it has not been tried yet");
    assert.equal(resumed({ ...failed, since: tomorrow }, now).due, tomorrow, "it snoozes");
  });
});
