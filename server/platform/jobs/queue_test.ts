import assert from "node:assert/strict";
import { beforeCommits } from "../../../dev/testing/around_commits.ts";
import { eventually } from "../../../dev/testing/eventually.ts";
import { countingKv } from "../../../dev/testing/counting_kv.ts";
import { seededRandom } from "../../../dev/testing/seeded_random.ts";
import { type QueueHarness, queueHarness } from "../../../dev/testing/queue_harness.ts";
import { tempKv } from "../../../dev/testing/temp_kv.ts";
import { systemClock } from "../deps.ts";
import { typed } from "../kv/key.ts";
import { createBatches } from "../kv/batches.ts";
import { keys } from "../kv/keys.ts";
import { EMBEDDED_LIMITS } from "../kv/limits.ts";
import { listing } from "../kv/listing.ts";
import type { Kv, KvKey } from "../kv/port.ts";
import { wrap } from "../kv/wrap.ts";
import { addFirstJob } from "./add.ts";
import type { ClaimedJob } from "./claim.ts";
import { activationKey } from "./parking.ts";
import { createPlaces } from "./places.ts";
import { createQueue } from "./queue.ts";

/** Returns the database as it is if reading some jobs fails. */
function failingReads(inner: Kv, ids: readonly string[], error: Error): Kv {
  return new Proxy(inner, {
    get(target, property) {
      const member: unknown = Reflect.get(target, property, target);
      if (property !== "getMany") return typeof member === "function" ? member.bind(target) : member;
      return (read: KvKey[]) =>
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
  await using temp = await tempKv("memory", EMBEDDED_LIMITS);
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

const THOUSAND = 1_000;

/** Adds jobs that are due, without reading each. */
async function addMany({ kv, clock }: QueueHarness, count: number): Promise<void> {
  const batches = createBatches(kv);
  for (let n = 0; n < count; n++) {
    const job = { id: `job ${10_000 + n}`, name: "cfbe_test", payload: null, due: clock.now() } as const;
    await batches.add((tx) => void addFirstJob(tx, job, clock.now()));
  }
  await batches.flush();
}

Deno.test("a thousand due jobs are claimed with five reads and four commits for each 32 of them", async () => {
  await using temp = await tempKv();
  const harness = queueHarness(temp.kv);
  await addMany(harness, THOUSAND);
  const { kv, counts, reset, listed } = countingKv(temp.kv);
  const queue = createQueue({ ...harness, kv });
  let claimed = 0;
  while (claimed < THOUSAND) {
    reset();
    const jobs = await queue.claim(32);
    claimed += jobs.length;
    const batches = Math.ceil(jobs.length / 9);
    assert.deepEqual(counts, { reads: 1 + batches, commits: batches });
    assert.ok(listed() <= 32, "no more of the index than was claimed");
  }
  assert.equal(claimed, THOUSAND);
});

/** Counts the entries of an index that reads of lists get, whether or not anybody asks for them. */
function countingBatches(inner: Kv) {
  const counts = { read: 0 };
  const pages = listing((selector, options) => {
    counts.read += options.limit;
    return inner.page(selector, options);
  });
  return { kv: wrap(inner, pages), counts };
}

Deno.test("a claim reads eight entries of a long queue for one job, although it would search far for another kind, and finds that", async () => {
  await using temp = await tempKv();
  const harness = queueHarness(temp.kv);
  await addMany(harness, THOUSAND);
  harness.clock.set(harness.clock.now() + 1);
  await harness.add({ id: "erase:1" });
  const { kv, counts } = countingBatches(temp.kv);
  const queue = createQueue({ ...harness, kv });
  const one = createPlaces(1).claim(0);
  assert.equal((await queue.claim(1, undefined, undefined, one)).length, 1);
  assert.equal(counts.read, 8);
  const full = createPlaces(1);
  full.enter({ kind: "job 10000", isRetry: false });
  const onlyErasures = { ...full.claim(0), take: ({ kind }: { kind: string }) => kind === "erase" };
  const found = await queue.claim(1, undefined, undefined, onlyErasures);
  assert.deepEqual(found.map(({ row }) => row.id), ["erase:1"]);
});

Deno.test("one claim takes at most four times as many entries of the index as it may claim jobs", async () => {
  await using temp = await tempKv();
  const harness = queueHarness(temp.kv);
  await addMany(harness, THOUSAND);
  const deactivated = { v: 1, active: false, at: 0 };
  await temp.kv.set(activationKey(), deactivated);
  const { kv, counts, reset } = countingKv(temp.kv);
  const queue = createQueue({ ...harness, kv });
  assert.deepEqual(await queue.claim(32), []);
  assert.ok(counts.commits <= 16, `${counts.commits} commits park jobs`);
  assert.equal((await harness.index()).filter((row) => row.endsWith("parked")).length, 128);

  await temp.kv.set(keys.restoring(), { v: 1, at: 0 });
  reset();
  assert.deepEqual(await queue.claim(32), []);
  assert.ok(counts.reads <= 10, `${counts.reads} reads while a backup is restored`);
});

Deno.test("jobs behind any number of rows that cannot be read are claimed, and such rows are read once a minute", async () => {
  await using temp = await tempKv();
  const harness = queueHarness(temp.kv);
  await addMany(harness, 300);
  const broken = Array.from({ length: 299 }, (_, n) => `job ${10_000 + n}`);
  const failing = failingReads(temp.kv, broken, new SyntaxError("Unexpected token in JSON"));
  const { kv, counts, reset } = countingKv(failing);
  const queue = createQueue({ ...harness, kv });
  const claimed: ClaimedJob[] = [];
  for (let pass = 0; claimed.length === 0 && pass < 5; pass++) {
    claimed.push(...await queue.claim(32).catch(() => []));
  }
  assert.deepEqual(claimed.map(({ row }) => row.id), ["job 10299"]);
  await harness.clock.advance(59_000);
  reset();
  await assert.rejects(queue.claim(32), /Unexpected token/, "reported once");
  assert.deepEqual(await queue.claim(32), []);
  // Five pages for each claim: four of as many entries as are usually enough, and one of all others.
  assert.deepEqual(counts, { reads: 10, commits: 0 });
});

Deno.test("if the database fails, no job counts as one that cannot be read", async () => {
  await using temp = await tempKv();
  const harness = queueHarness(temp.kv);
  await addMany(harness, 10);
  let fails = true;
  const kv = wrap(temp.kv, {
    getMany: (keys: KvKey[]) => fails ? Promise.reject(new Error("unavailable")) : temp.kv.getMany(keys),
    get: (key: KvKey) => fails ? Promise.reject(new Error("unavailable")) : temp.kv.get(key),
  } as Partial<Kv>);
  const queue = createQueue({ ...harness, kv });
  await assert.rejects(queue.claim(32), /unavailable/);
  fails = false;
  assert.equal((await queue.claim(32)).length, 10);
});

Deno.test("a claim reads a row of another room together with the jobs, at no further read", async () => {
  await using temp = await tempKv("memory", EMBEDDED_LIMITS);
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
