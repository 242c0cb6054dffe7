import assert from "node:assert/strict";
import { queueHarness } from "../../../dev/testing/queue_harness.ts";
import { tempKv } from "../../../dev/testing/temp_kv.ts";

const concat = (older: string[], newer: string[]) => [...older, ...newer];

Deno.test("a waiting keyed job is not queued twice: payloads are merged, and the earlier due time counts", async () => {
  await using temp = await tempKv();
  const { queue, add, clock, index } = queueHarness(temp.kv);
  const now = clock.now();
  assert.equal(await add({ id: "k", payload: ["a"], due: now + 500, merge: concat }), "added");
  assert.equal(await add({ id: "k", payload: ["b"], due: now + 900, merge: concat }), "merged");
  assert.equal(await add({ id: "k", payload: ["c"], due: now + 100, merge: concat }), "merged");
  assert.deepEqual(await index(), ["k waiting"]);
  const row = await queue.get("k");
  assert.deepEqual([row?.payload, row?.due], [["a", "b", "c"], now + 100]);
});

Deno.test("without merge, the newer payload replaces the older", async () => {
  await using temp = await tempKv();
  const { queue, add } = queueHarness(temp.kv);
  await add({ id: "k", payload: "older" });
  await add({ id: "k", payload: "newer" });
  assert.equal((await queue.get("k"))?.payload, "newer");
});

Deno.test("a running job runs once more afterward, with everything added meanwhile", async () => {
  await using temp = await tempKv();
  const { queue, add, clock, index } = queueHarness(temp.kv);
  await add({ id: "k", payload: ["a"], merge: concat });
  const [first] = await queue.claim(8);
  assert.equal(await add({ id: "k", payload: ["b"], due: clock.now() + 70, merge: concat }), "again");
  assert.equal(await add({ id: "k", payload: ["c"], merge: concat }), "again");
  assert.deepEqual(await queue.claim(8), [], "not while it runs");
  assert.deepEqual(await queue.finish(first!, { kind: "done" }), { kind: "again" });
  const [second] = await queue.claim(8);
  assert.deepEqual(second?.row.payload, ["b", "c"]);
  assert.equal(second?.row.attempts, 1);
  assert.deepEqual(await queue.finish(second!, { kind: "done" }), { kind: "ended" });
  assert.deepEqual(await index(), []);
});

Deno.test("a dead-letter job that is added again starts like a new one, and keeps its history", async () => {
  await using temp = await tempKv();
  const { queue, add, clock, index } = queueHarness(temp.kv);
  await add({ id: "k", payload: ["a"], merge: concat });
  const [claimed] = await queue.claim(1);
  await queue.finish(claimed!, { kind: "dead", reason: "hopeless" });
  assert.deepEqual(await index(), ["k dead"]);
  await clock.advance(1_000);
  assert.equal(await add({ id: "k", payload: ["b"], merge: concat }), "revived");
  assert.deepEqual(await index(), ["k waiting"]);
  const row = await queue.get("k");
  assert.deepEqual([row?.payload, row?.attempts, row?.createdAt], [["b"], 0, clock.now()]);
  assert.deepEqual(row?.history.map(({ note }) => note), [
    "failed permanently: hopeless",
    "revived by a new cause",
  ]);
});

Deno.test("a new cause gives a waiting job another three days, and its earlier result stays unknown", async () => {
  await using temp = await tempKv();
  const { queue, add, clock } = queueHarness(temp.kv);
  await add({ id: "k" });
  const [claimed] = await queue.claim(1);
  await queue.finish(claimed!, { kind: "retry", reason: "down", unknown: true });
  await clock.advance(71 * 3_600_000);
  await add({ id: "k" });
  await clock.advance(2 * 3_600_000);
  const [again] = await queue.claim(1);
  assert.equal(again?.row.unknown, true);
  assert.equal((await queue.finish(again!, { kind: "retry", reason: "down" })).kind, "waiting");
});

Deno.test("an invalid due time is rejected", async () => {
  await using temp = await tempKv();
  const { add } = queueHarness(temp.kv);
  for (const due of [NaN, Infinity]) await assert.rejects(add({ id: "k", due }), RangeError);
});

Deno.test("a second cause does not end the wait that a provider asked for", async () => {
  await using temp = await tempKv();
  const { queue, add, clock } = queueHarness(temp.kv);
  const start = clock.now();
  await add({ id: "k" });
  const [claimed] = await queue.claim(1);
  await queue.finish(claimed!, { kind: "retry", reason: "HTTP 429", retryAfterMs: 3_600_000 });
  await clock.advance(60_000);
  assert.equal(await add({ id: "k" }), "merged");
  assert.deepEqual(await queue.claim(1), []);
  await clock.advance(start + 3_600_000 - clock.now());
  const [again] = await queue.claim(1);
  await add({ id: "k" });
  await queue.finish(again!, { kind: "snooze", until: clock.now() + 60_000, reason: "Later." });
  assert.equal((await queue.get("k"))?.due, clock.now(), "that wait is over");
});
