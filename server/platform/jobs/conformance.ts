import assert from "node:assert/strict";
import { cas } from "../kv/cas.ts";
import { keys } from "../kv/keys.ts";
import { type QueueHarness, queueHarness } from "../../../dev/testing/queue_harness.ts";
import type { KvFactory } from "../../../dev/testing/kv_factories.ts";
import { ManualClock } from "../../../dev/testing/manual_clock.ts";
import { fenceOf, LeaseLost } from "./handler.ts";
import type { ClaimedJob } from "./claim.ts";

/** The harness of one test. The database may be shared with others, so all job IDs get a prefix of the test. */
interface Shared extends QueueHarness {
  id(name: string): string;
  /** Claims this test's jobs. @returns them by ID without the prefix */
  claim(): Promise<Map<string, ClaimedJob>>;
}

/**
 * Registers one test for each guarantee that the queue gives on any kind of database.
 *
 * @example
 * ```ts
 * for (const factory of kvFactories()) queueConformance(factory);
 * ```
 */
export function queueConformance(factory: KvFactory): void {
  function guarantee(what: string, test: (harness: Shared) => Promise<void>): void {
    Deno.test(`${factory.name}: ${what}`, async () => {
      await using opened = await factory.open();
      const run = `test-${crypto.randomUUID()}-`;
      // In 1970, when no other test has a due job.
      const clock = new ManualClock(1 + Math.floor(Math.random() * 1e9));
      const harness = queueHarness(opened.kv, clock, Date.now());
      const claim = async () => {
        const mine = (await harness.queue.claim(100)).filter(({ row }) => row.id.startsWith(run));
        return new Map(mine.map((claimed) => [claimed.row.id.slice(run.length), claimed]));
      };
      try {
        await test({ ...harness, claim, id: (name) => run + name });
      } finally {
        for (const name of ["a", "b", "c"]) await harness.queue.cancel(run + name);
      }
    });
  }

  guarantee("exactly one of many concurrent claimers gets a job", async ({ add, claim, id }) => {
    await add({ id: id("a") });
    await add({ id: id("b") });
    const claims = await Promise.all(Array.from({ length: 8 }, claim));
    assert.deepEqual(claims.flatMap((map) => [...map.keys()]).toSorted(), ["a", "b"]);
  });

  guarantee("jobs are claimed in the order of their due times, and none early", async (harness) => {
    const { add, claim, id, clock, queue } = harness;
    await add({ id: id("b"), due: clock.now() + 1_000 });
    await add({ id: id("a"), due: clock.now() + 2_000 });
    await add({ id: id("c"), due: clock.now() + 2_001 });
    assert.equal((await claim()).size, 0);
    const due = await queue.nextDue();
    assert(due !== undefined && due <= clock.now() + 1_000);
    await clock.advance(2_000);
    assert.deepEqual([...(await claim()).keys()], ["b", "a"]);
  });

  guarantee(
    "a lease holds while it is renewed, and for a minute after",
    async ({ add, claim, id, clock, queue }) => {
      await add({ id: id("a") });
      const a = (await claim()).get("a")!;
      await clock.advance(59_999);
      assert.equal((await claim()).size, 0);
      assert.equal(await queue.renew(a), true);
      await clock.advance(59_999);
      assert.equal((await claim()).size, 0);
      await clock.advance(1);
      assert.equal((await claim()).size, 1);
    },
  );

  guarantee(
    "when a lease expires, its job is due again with an unknown result",
    async ({ add, claim, id, clock }) => {
      await add({ id: id("a") });
      assert.equal((await claim()).get("a")!.row.unknown, false);
      await clock.advance(60_000);
      const { row } = (await claim()).get("a")!;
      assert.deepEqual([row.unknown, row.attempts], [true, 2]);
      assert.deepEqual(row.history, [{ at: clock.now(), note: "attempt 1 never reported back" }]);
    },
  );

  guarantee("an attempt that lost its lease can't renew, finish, release or commit", async (harness) => {
    const { add, claim, id, clock, queue, kv } = harness;
    await add({ id: id("a") });
    const zombie = (await claim()).get("a")!;
    await clock.advance(60_000);
    const owner = (await claim()).get("a")!;
    const before = await queue.get(id("a"));
    assert.equal(await queue.renew(zombie), false);
    assert.deepEqual(await queue.finish(zombie, { kind: "done" }), { kind: "lost" });
    assert.equal(await queue.release(zombie), false);
    const write = (claimed: ClaimedJob) => {
      const fence = fenceOf(claimed.row.id, claimed.token);
      return cas(kv, { job: fence.key }, ({ job }) => ({
        value: true,
        write: (tx) => fence.update(tx, job, { payload: "written" }),
      }), { ...harness, fence });
    };
    await assert.rejects(write(zombie), LeaseLost);
    assert.deepEqual(await queue.get(id("a")), before);
    assert.equal(await write(owner), true);
    assert.equal((await queue.get(id("a")))?.payload, "written");
  });

  guarantee("a released job is due at once, and its attempt counts only if it began", async (harness) => {
    const { add, claim, id, queue } = harness;
    await add({ id: id("a") });
    assert.equal(await queue.release((await claim()).get("a")!, { began: false }), true);
    const again = (await claim()).get("a")!;
    assert.deepEqual([again.row.attempts, again.row.unknown], [1, false]);
    await queue.release(again);
    const third = (await claim()).get("a")!;
    assert.deepEqual([third.row.attempts, third.row.unknown], [2, true]);
  });

  guarantee(
    "a claim deletes an index entry that belongs to no row",
    async ({ add, claim, id, clock, kv }) => {
      await add({ id: id("a"), due: clock.now() + 5_000 });
      const stale = [keys.due(clock.now(), id("a")), keys.due(clock.now(), id("nobody"))];
      for (const key of stale) await kv.set(key, { v: 1, state: "waiting" });
      assert.equal((await claim()).size, 0);
      for (const entry of await kv.getMany(stale)) assert.equal(entry.versionstamp, null);
      await clock.advance(5_000);
      assert.equal((await claim()).size, 1);
    },
  );
}
