import assert from "node:assert/strict";
import { queueHarness } from "../../../dev/testing/queue_harness.ts";
import { tempKv } from "../../../dev/testing/temp_kv.ts";

Deno.test("each state is listed by time in pages, without gaps or duplicates", async () => {
  await using temp = await tempKv();
  const { queue, add, clock } = queueHarness(temp.kv);
  const ids = ["e", "d:1", "c", "b:x:y", "a"];
  for (const [i, id] of ids.entries()) await add({ id, due: clock.now() + i * 1_000 });
  await add({ id: "runs", due: clock.now() - 1 });
  assert.equal((await queue.claim(1))[0]?.row.id, "runs");

  const pages: string[][] = [];
  let after: string | undefined;
  do {
    const page = await queue.list({ state: "waiting", after, limit: 2 });
    pages.push(page.rows.map(({ id }) => id));
    after = page.after;
  } while (after);
  assert.deepEqual(pages, [["e", "d:1"], ["c", "b:x:y"], ["a"]]);
  assert.deepEqual((await queue.list({ state: "running" })).rows.map(({ id }) => id), ["runs"]);
  assert.deepEqual(await queue.list({ state: "dead" }), { rows: [] });
});

Deno.test("an invalid cursor is rejected", async () => {
  await using temp = await tempKv();
  const { queue } = queueHarness(temp.kv);
  for (const after of ["x", ":a", "x:a", "NaN:a"]) {
    await assert.rejects(queue.list({ state: "dead", after }), TypeError);
  }
});

Deno.test("a dead-letter job can be retried for another three days, and its earlier result stays unknown", async () => {
  await using temp = await tempKv();
  const { queue, add, clock, index } = queueHarness(temp.kv);
  await add({ id: "a", payload: 1 });
  const failed = { kind: "retry", reason: "timeout", unknown: true } as const;
  for (let hours = 0; hours <= 72; hours += 6) {
    const [claimed] = await queue.claim(1);
    assert.equal((await queue.finish(claimed!, failed)).kind, "waiting", `after ${hours} hours`);
    await clock.advance(6 * 3_600_000);
  }
  const [last] = await queue.claim(1);
  assert.equal((await queue.finish(last!, failed)).kind, "dead");
  assert.equal((await queue.list({ state: "dead" })).rows[0]?.id, "a");

  assert.equal(await queue.retryDead("a"), true);
  assert.equal(await queue.retryDead("a"), false, "no longer dead");
  assert.equal(await queue.retryDead("nobody"), false);
  assert.deepEqual(await index(), ["a waiting"]);
  const [again] = await queue.claim(1);
  assert.deepEqual([again?.row.payload, again?.row.attempts, again?.row.unknown], [1, 1, true]);
  assert.equal((await queue.finish(again!, failed)).kind, "waiting");
});

Deno.test("a job can be canceled in any state, and a running attempt can't restore it", async () => {
  await using temp = await tempKv();
  const { queue, add, index } = queueHarness(temp.kv);
  for (const id of ["dead", "running", "waiting"]) await add({ id });
  const claimed = await queue.claim(2);
  await queue.finish(claimed[0]!, { kind: "dead", reason: "" });
  for (const id of ["dead", "running", "waiting"]) assert.equal(await queue.cancel(id), true);
  assert.equal(await queue.cancel("waiting"), false);
  assert.equal((await queue.finish(claimed[1]!, { kind: "retry", reason: "" })).kind, "lost");
  assert.deepEqual(await index(), []);
});

Deno.test("reclaimAll makes running jobs due at once with an unknown result, and changes no others", async () => {
  await using temp = await tempKv();
  const { queue, add, clock, index } = queueHarness(temp.kv);
  for (const id of ["a", "b", "c"]) await add({ id });
  await add({ id: "later", due: clock.now() + 5_000 });
  const before = await queue.claim(2);
  assert.equal(await queue.reclaimAll(), 2);
  assert.equal(await queue.reclaimAll(), 0);
  for (const job of before) assert.equal(await queue.renew(job), false);
  const after = await queue.claim(9);
  const reclaimed = after.map(({ row }) => `${row.id} ${row.unknown}`).toSorted();
  assert.deepEqual(reclaimed, ["a true", "b true", "c false"]);
  assert.equal((await index()).length, 4);
});

Deno.test("the queue counts the jobs of each state, and for how long the first job has been overdue", async () => {
  await using temp = await tempKv();
  const { queue, add, clock } = queueHarness(temp.kv);
  assert.deepEqual(await queue.counts(), { waiting: 0, running: 0, dead: 0, parked: 0, lateMs: 0 });
  await add({ id: "dies", due: clock.now() });
  const [first] = await queue.claim(1);
  await queue.finish(first!, { kind: "dead", reason: "no use" });
  await add({ id: "runs", due: clock.now() });
  await queue.claim(1);
  await add({ id: "late", due: clock.now() });
  await add({ id: "later", due: clock.now() + 60_000 });
  await clock.advance(1_500);
  assert.deepEqual(await queue.counts(), { waiting: 2, running: 1, dead: 1, parked: 0, lateMs: 1_500 });
});
