import assert from "node:assert/strict";
import { countingKv } from "../testing/counting_kv.ts";
import { queueHarness } from "../testing/queue_harness.ts";
import { tempKv } from "../testing/temp_kv.ts";
import { createQueue } from "./queue.ts";

Deno.test("jobs claimed before the database fails are returned, so that they do not wait until their leases expire", async () => {
  await using temp = await tempKv();
  const harness = queueHarness(temp.kv);
  await harness.add({ id: "a" });
  await harness.add({ id: "b" });
  let commits = 0;
  const kv = new Proxy(temp.kv, {
    get(target, property) {
      if (property === "atomic" && ++commits > 1) throw new Error("the database is unavailable");
      const member: unknown = Reflect.get(target, property, target);
      return typeof member === "function" ? member.bind(target) : member;
    },
  });
  const queue = createQueue({ ...harness, kv });
  assert.deepEqual((await queue.claim(9)).map(({ row }) => row.id), ["a"]);
  await assert.rejects(queue.claim(9), /the database is unavailable/);
});

Deno.test("claiming costs one commit per job, finishing another, and an empty queue one read", async () => {
  await using temp = await tempKv();
  const harness = queueHarness(temp.kv);
  for (const id of ["a", "b", "c"]) await harness.add({ id });
  const { kv, counts, reset } = countingKv(temp.kv);
  const queue = createQueue({ ...harness, kv });
  const claimed = await queue.claim(3);
  assert.deepEqual(counts, { reads: 4, commits: 3 });
  for (const job of claimed) await queue.finish(job, { kind: "done" });
  assert.deepEqual(counts, { reads: 7, commits: 6 });
  reset();
  assert.deepEqual(await queue.claim(3), []);
  assert.deepEqual(await queue.claim(0), []);
  assert.deepEqual(counts, { reads: 1, commits: 0 });
});

Deno.test("a job canceled by its handler is deleted and does not become a dead-letter job", async () => {
  await using temp = await tempKv();
  const { queue, add, index } = queueHarness(temp.kv);
  await add({ id: "a" });
  const [claimed] = await queue.claim(1);
  assert.deepEqual(await queue.finish(claimed!, { kind: "cancel", reason: "unsubscribed" }), {
    kind: "ended",
  });
  assert.deepEqual(await index(), []);
});

Deno.test("a job added again while onDead runs waits again", async () => {
  await using temp = await tempKv();
  const { queue, add, index } = queueHarness(temp.kv);
  await add({ id: "a", payload: 1 });
  const [claimed] = await queue.claim(1);
  let calls = 0;
  const onDead = async () => {
    calls++;
    await add({ id: "a", payload: 2 });
  };
  const outcome = await queue.finish(claimed!, { kind: "dead", reason: "hopeless" }, { onDead });
  assert.deepEqual([outcome.kind, calls], ["again", 1]);
  assert.deepEqual(await index(), ["a waiting"]);
});
