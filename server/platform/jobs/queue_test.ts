import assert from "node:assert/strict";
import { beforeCommits } from "../../../dev/testing/before_commits.ts";
import { eventually } from "../../../dev/testing/eventually.ts";
import { countingKv } from "../../../dev/testing/counting_kv.ts";
import { seededRandom } from "../../../dev/testing/seeded_random.ts";
import { queueHarness } from "../../../dev/testing/queue_harness.ts";
import { tempKv } from "../../../dev/testing/temp_kv.ts";
import { systemClock } from "../deps.ts";
import { typed } from "../kv/key.ts";
import { createQueue } from "./queue.ts";

/** Returns the database as it is if reading some jobs fails. */
function failingReads(inner: Deno.Kv, ids: readonly string[], error: Error): Deno.Kv {
  return new Proxy(inner, {
    get(target, property) {
      const member: unknown = Reflect.get(target, property, target);
      if (property !== "getMany") return typeof member === "function" ? member.bind(target) : member;
      return (read: Deno.KvKey[]) =>
        read.some((key) => ids.includes(String(key.at(-1)))) ? Promise.reject(error) : target.getMany(read);
    },
  });
}

Deno.test("jobs claimed before the database fails are returned, so that they do not wait until their leases expire", async () => {
  await using temp = await tempKv();
  const harness = queueHarness(temp.kv);
  const ids = Array.from({ length: 12 }, (_, n) => `job ${10 + n}`);
  for (const id of ids) await harness.add({ id });
  const kv = failingReads(temp.kv, ids.slice(9), new Error("the database is unavailable"));
  const queue = createQueue({ ...harness, kv });
  assert.deepEqual((await queue.claim(12)).map(({ row }) => row.id), ids.slice(0, 9));
  await assert.rejects(queue.claim(12), /the database is unavailable/);
});

Deno.test("claiming costs one commit per nine jobs, finishing one per job, and an empty queue one read", async () => {
  await using temp = await tempKv();
  const harness = queueHarness(temp.kv);
  for (let n = 10; n < 28; n++) await harness.add({ id: `job ${n}` });
  const { kv, counts, reset } = countingKv(temp.kv);
  const queue = createQueue({ ...harness, kv });
  const claimed = await queue.claim(18);
  assert.deepEqual([claimed.length, counts], [18, { reads: 3, commits: 2 }]);
  reset();
  for (const job of claimed) await queue.finish(job, { kind: "done" });
  assert.deepEqual(counts, { reads: 0, commits: 18 });
  reset();
  assert.deepEqual(await queue.claim(3), []);
  assert.deepEqual(await queue.claim(0), []);
  assert.deepEqual(counts, { reads: 1, commits: 0 });
});

Deno.test("a claim reads a row of another room together with the jobs, at no further read", async () => {
  await using temp = await tempKv();
  const harness = queueHarness(temp.kv);
  for (let n = 10; n < 26; n++) await harness.add({ id: `job ${n}` });
  const key = typed<string>(["other"]);
  await temp.kv.set(key, "noted");
  const { kv, counts } = countingKv(temp.kv);
  const noted: unknown[] = [];
  const queue = createQueue({ ...harness, kv, alongside: { key, note: (row) => void noted.push(row) } });
  assert.equal((await queue.claim(16)).length, 16);
  assert.deepEqual([noted, counts], [["noted", "noted"], { reads: 3, commits: 2 }]);
});

Deno.test("the commits of one claim are made at the same time, so that they can share one operation", async () => {
  await using temp = await tempKv();
  const harness = queueHarness(temp.kv);
  for (let n = 10; n < 30; n++) await harness.add({ id: `job ${n}` });
  const waiting: (() => void)[] = [];
  const kv = beforeCommits(temp.kv, () => new Promise<void>((resolve) => waiting.push(resolve)));
  const claiming = createQueue({ ...harness, kv }).claim(20);
  await eventually("all three wait", () => waiting.length === 3);
  for (const resolve of waiting.toReversed()) resolve();
  const ids = (await claiming).map(({ row }) => row.id);
  assert.deepEqual(ids, Array.from({ length: 20 }, (_, n) => `job ${10 + n}`), "in order");
});

Deno.test("jobs claimed together by two processes go to one each, and none is left behind", async () => {
  await using temp = await tempKv();
  const harness = queueHarness(temp.kv);
  for (let n = 10; n < 30; n++) await harness.add({ id: `job ${n}` });
  const processes = [1, 2].map((seed) =>
    createQueue({ kv: temp.kv, clock: systemClock, random: seededRandom(seed) })
  );
  const claimed = (await Promise.all(processes.map((queue) => queue.claim(20)))).flat().map(({ row }) =>
    row.id
  );
  assert.deepEqual(claimed.toSorted(), Array.from({ length: 20 }, (_, n) => `job ${10 + n}`));
});

Deno.test("a job whose row cannot be read does not keep the others from being claimed", async () => {
  await using temp = await tempKv();
  const harness = queueHarness(temp.kv);
  for (const id of ["a", "b", "c"]) await harness.add({ id });
  const kv = failingReads(temp.kv, ["b"], new TypeError("could not deserialize value"));
  const queue = createQueue({ ...harness, kv });
  assert.deepEqual((await queue.claim(9)).map(({ row }) => row.id), ["a", "c"]);
  await assert.rejects(queue.claim(9), /could not deserialize/);
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
