/** What a claim does for the handlers of its jobs. */
import assert from "node:assert/strict";
import { cas } from "../kv/cas.ts";
import { type Key, readRow, typed } from "../kv/key.ts";
import { beforeCommits } from "../../../dev/testing/around_commits.ts";
import { countingKv } from "../../../dev/testing/counting_kv.ts";
import { limitedKv } from "../../../dev/testing/limited_kv.ts";
import { queueHarness } from "../../../dev/testing/queue_harness.ts";
import { tempKv } from "../../../dev/testing/temp_kv.ts";
import type { AtomicOperation } from "../kv/port.ts";
import type { Beginning } from "./handler.ts";
import { createQueue } from "./queue.ts";
import type { JobRow } from "./row.ts";

const countKey: Key<number> = typed(["test", "count"]);

/** Counts the attempts of all jobs in one row, and gives each job the number of its attempt. */
function numbering({ payload }: JobRow): Beginning<number, { count: Key<number> }> {
  return {
    read: { count: countKey },
    decide({ count }) {
      const value = (count.value ?? 0) + 1;
      return { value, payload: [payload, value], write: (tx) => tx.set(countKey, value) };
    },
  };
}

Deno.test("the commit of a claim does what the job begins with, and the attempt knows the rows", async () => {
  await using temp = await tempKv();
  const { add, ...harness } = queueHarness(temp.kv);
  await add({ id: "a", payload: "x" });
  const { kv, counts, reset } = countingKv(temp.kv);
  const queue = createQueue({ ...harness, kv });
  const [claimed] = await queue.claim(1, undefined, numbering);
  assert.deepEqual([claimed?.begun, claimed?.row.payload, await readRow(temp.kv, countKey)], [
    1,
    ["x", 1],
    1,
  ]);
  assert.deepEqual(counts, { reads: 3, commits: 1 }, "the due index, the job, and the row to count in");
  reset();
  const { clock, random } = harness;
  const increment = ({ count }: { count: { value: number | null } }) => ({
    value: count.value,
    write: (tx: AtomicOperation) => tx.set(countKey, 7),
  });
  const options = { clock, random, seen: claimed?.seen };
  assert.equal(await cas(kv, { count: countKey }, increment, options), 1);
  assert.deepEqual(counts, { reads: 0, commits: 1 });
});

Deno.test("of two jobs that begin with the same row, one claim begins only the first", async () => {
  await using temp = await tempKv();
  const { add, queue } = queueHarness(temp.kv);
  for (const id of ["a", "b"]) await add({ id, payload: id });
  const claimed = await queue.claim(2, undefined, numbering);
  assert.deepEqual(claimed.map(({ begun }) => begun), [1, undefined]);
  assert.deepEqual(claimed.map(({ row }) => row.payload), [["a", 1], "b"]);
  assert.equal(await readRow(temp.kv, countKey), 1);
});

Deno.test("a claim that conflicts with a change of the job does nothing for the outdated payload", async () => {
  await using temp = await tempKv();
  const { add, ...harness } = queueHarness(temp.kv);
  await add({ id: "a", payload: "old" });
  let changed = false;
  const kv = beforeCommits(temp.kv, async () => {
    if (!changed) await add({ id: "a", payload: "new" });
    changed = true;
  });
  const [claimed] = await createQueue({ ...harness, kv }).claim(1, undefined, numbering);
  assert.deepEqual([claimed?.begun, claimed?.row.payload], [undefined, "new"]);
  assert.equal(await readRow(temp.kv, countKey), null);
});

Deno.test("on an engine that checks few rows in one operation, jobs that begin with rows of their own are claimed at the same time", async () => {
  await using temp = await tempKv();
  const { add, ...harness } = queueHarness(temp.kv);
  const ids = ["a", "b", "c", "d"];
  for (const id of ids) await add({ id, payload: id });
  const ownRows = ({ id }: JobRow): Beginning => ({
    read: { rows: [1, 2, 3, 4].map((n) => typed<number>(["test", id, n])) },
    decide: () => ({ value: id }),
  });
  let underWay = 0;
  const all = Promise.withResolvers<void>();
  const kv = beforeCommits(limitedKv(temp.kv, { ...temp.kv.engine.limits, checks: 9 }), async () => {
    if (++underWay === ids.length) all.resolve();
    await all.promise;
  });
  const claimed = await createQueue({ ...harness, kv }).claim(ids.length, undefined, ownRows);
  assert.deepEqual(claimed.map(({ begun }) => begun), ids);
});
