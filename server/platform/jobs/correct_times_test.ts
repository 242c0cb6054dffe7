import assert from "node:assert/strict";
import fc from "fast-check";
import { queueHarness } from "../../../dev/testing/queue_harness.ts";
import { tempKv } from "../../../dev/testing/temp_kv.ts";
import { createBringForward } from "./bring_forward.ts";
import { withPlausibleTimes } from "./correct_times.ts";
import { createParking } from "./parking.ts";
import { keys } from "../kv/keys.ts";
import { startSlot } from "./recurring.ts";
import type { AttemptResult } from "./result.ts";
import { chosenAt, dueKey, type JobRow } from "./row.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

async function world() {
  const temp = await tempKv();
  const harness = queueHarness(temp.kv);
  const { clock, queue } = harness;
  const start = clock.now();
  return {
    ...harness,
    start,
    /** Runs what is due, and returns the IDs. */
    async runDue(result: AttemptResult = { kind: "done" }) {
      const claimed = await queue.claim(9);
      for (const each of claimed) await queue.finish(each, result);
      return claimed.map(({ row }) => row.id);
    },
    /** Runs `work` with the clock ahead, and sets it right again. */
    async whileAhead(aheadMs: number, work: () => Promise<unknown>) {
      clock.set(start + aheadMs);
      await work();
      clock.set(start);
    },
    [Symbol.asyncDispose]: () => temp[Symbol.asyncDispose](),
  };
}

for (const ahead of [3 * HOUR, 30 * DAY, 365 * DAY]) {
  Deno.test(`a job that failed while the clock was ${ahead / HOUR} h ahead is retried as soon as if it had been right`, async () => {
    await using w = await world();
    await w.whileAhead(ahead, async () => {
      await w.add({ id: "a" });
      await w.runDue({ kind: "retry", reason: "HTTP 500" });
    });
    assert.deepEqual(await w.runDue(), []);
    assert.equal(await w.queue.correctTimes(), 1);
    assert.equal(await w.queue.correctTimes(), 0);
    await w.clock.advance(30_000);
    assert.deepEqual(await w.runDue(), ["a"]);
  });
}

Deno.test("a job whose process died while the clock was ahead is claimed within a minute", async () => {
  await using w = await world();
  await w.whileAhead(365 * DAY, async () => {
    await w.add({ id: "a" });
    assert.equal((await w.queue.claim(1)).length, 1);
  });
  await w.queue.correctTimes();
  assert.deepEqual(await w.runDue(), []);
  await w.clock.advance(MINUTE);
  assert.deepEqual(await w.runDue(), ["a"]);
});

Deno.test("an attempt that runs while the clock is set right keeps its lease", async () => {
  await using w = await world();
  await w.add({ id: "a" });
  w.clock.set(w.start + DAY);
  const [claimed] = await w.queue.claim(1);
  w.clock.set(w.start);
  await w.queue.correctTimes();
  assert.equal(await w.queue.renew(claimed!), true);
  assert.equal((await w.queue.finish(claimed!, { kind: "done" })).kind, "ended");
});

Deno.test("a job added while the clock was ahead keeps its distance, and so does one that a second cause was added to", async () => {
  await using w = await world();
  await w.add({ id: "merged", due: w.start + HOUR });
  await w.whileAhead(365 * DAY, async () => {
    await w.add({ id: "reminder", due: w.clock.now() + HOUR });
    await w.add({ id: "merged" });
  });
  await w.queue.correctTimes();
  assert.deepEqual(await w.runDue(), []);
  await w.clock.advance(HOUR);
  assert.deepEqual((await w.runDue({ kind: "retry", reason: "HTTP 500" })).toSorted(), [
    "merged",
    "reminder",
  ]);
  // Its age counts from now, not from a year ahead.
  await w.clock.advance(73 * HOUR);
  assert.ok((await w.queue.get("merged"))!.since <= w.clock.now());
});

Deno.test("jobs that may wait long are left alone: a retry in six hours, a reminder in thirty days", async () => {
  await using w = await world();
  await w.add({ id: "retried" });
  await w.runDue({ kind: "retry", reason: "HTTP 429", retryAfterMs: DAY });
  await w.add({ id: "reminder", due: w.start + 30 * DAY });
  const before = [await w.queue.get("retried"), await w.queue.get("reminder")];
  assert.equal(await w.queue.correctTimes(), 0);
  assert.deepEqual([await w.queue.get("retried"), await w.queue.get("reminder")], before);
});

Deno.test("jobs of a database without the time in their index entries are corrected too", async () => {
  await using w = await world();
  await w.whileAhead(365 * DAY, async () => {
    await w.add({ id: "a", due: w.clock.now() + MINUTE });
    await w.kv.set(dueKey(w.clock.now() + MINUTE, "a"), { v: 1, state: "waiting" });
  });
  await w.add({ id: "later", due: w.start + DAY });
  await w.kv.set(dueKey(w.start + DAY, "later"), { v: 1, state: "waiting" });
  assert.equal(await w.queue.correctTimes(), 1);
  await w.clock.advance(MINUTE);
  assert.deepEqual(await w.runDue(), ["a"]);
  assert.deepEqual(await w.index(), ["later waiting"]);
});

Deno.test("a dead-letter job of a clock that was ahead failed now, and a parked one resumes now", async () => {
  await using w = await world();
  const parking = createParking(w);
  await w.whileAhead(365 * DAY, async () => {
    await w.add({ id: "dead" });
    await w.runDue({ kind: "dead", reason: "gone" });
    await w.add({ id: "parked" });
    await w.runDue({ kind: "retry", reason: "HTTP 500" });
    await w.kv.set(keys.activation(), { v: 1, active: false, at: 0 });
    assert.equal(await parking.park(new Set()), 1);
  });
  await w.queue.correctTimes();
  assert.equal((await w.queue.get("dead"))!.due, w.start);
  await w.kv.delete(keys.activation());
  await parking.resume();
  await w.clock.advance(MINUTE);
  assert.deepEqual(await w.runDue(), ["parked"]);
});

Deno.test("an admin's retry releases a job of a clock that was ahead", async () => {
  await using w = await world();
  await w.whileAhead(365 * DAY, async () => {
    for (const id of ["one", "two"]) await w.add({ id });
    await w.runDue({ kind: "retry", reason: "HTTP 500" });
  });
  const forward = createBringForward(w);
  assert.equal(await forward.one("one"), true);
  assert.equal(await forward.all(), 1);
  assert.deepEqual((await w.runDue()).toSorted(), ["one", "two"]);
});

Deno.test("recurring work starts in its next slot after the clock was ahead", async () => {
  await using w = await world();
  const job = { id: "poll", name: "cfbe_poll", payload: {} } as const;
  const slot = () => startSlot(w, { name: "poll", everyMs: 15 * MINUTE, now: w.clock.now() }, job);
  await w.whileAhead(365 * DAY, async () => {
    assert.equal(await slot(), true);
    await w.runDue();
  });
  assert.equal(await slot(), true);
  assert.equal(await slot(), false);
});

Deno.test("corrected times are plausible, and those of a right clock are not changed", () => {
  const now = Date.UTC(2026, 10, 23);
  const ahead = fc.oneof(fc.integer({ min: -DAY, max: DAY }), fc.integer({ min: -DAY, max: 1000 * DAY }));
  const rows = fc.record({
    state: fc.constantFrom("waiting" as const, "running" as const, "dead" as const, "parked" as const),
    created: ahead,
    noted: ahead,
    wait: fc.integer({ min: 0, max: 30 * DAY }),
    retries: fc.boolean(),
  });
  fc.assert(fc.property(rows, ({ state, created, noted, wait, retries }) => {
    const at = now + Math.max(created, noted);
    const row: JobRow = {
      v: 1,
      id: "a",
      name: "cfbe_test",
      payload: null,
      state,
      attempts: 1,
      failures: 1,
      createdAt: now + created,
      since: retries || state === "dead" ? at : at + wait,
      due: state === "dead" ? at : at + wait,
      unknown: false,
      ...(state === "running" && { lease: { token: "t", until: at + MINUTE } }),
      history: [{ at: now + noted, note: "" }],
    };
    const corrected = withPlausibleTimes(row, now);
    if (at <= now) assert.equal(corrected, row);
    assert.ok(corrected.due <= now + wait + 2 * HOUR);
    assert.ok(chosenAt(corrected) <= now + 2 * HOUR);
    assert.equal(withPlausibleTimes(corrected, now), corrected);
  }));
});
