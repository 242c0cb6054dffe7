import assert from "node:assert/strict";
import { countingKv } from "../../../dev/testing/counting_kv.ts";
import { ManualClock } from "../../../dev/testing/manual_clock.ts";
import { seededRandom } from "../../../dev/testing/seeded_random.ts";
import { tempKv } from "../../../dev/testing/temp_kv.ts";
import { cas } from "./cas.ts";
import { type Key, readRow, typed } from "./key.ts";
import type { AtomicOperation, Kv } from "./port.ts";
import { SeenRows } from "./seen_rows.ts";

const deps = { clock: new ManualClock(), random: seededRandom(1) };
const count: Key<number> = typed(["test", "count"]);
const other: Key<number> = typed(["test", "other"]);

function increment(kv: Kv, seen: SeenRows): Promise<number> {
  return cas(kv, { count }, (rows) => {
    const value = (rows.count.value ?? 0) + 1;
    return { value, write: (tx) => tx.set(count, value) };
  }, { ...deps, seen });
}

Deno.test("a row that an earlier commit wrote is not read again, and its check still holds", async () => {
  await using temp = await tempKv();
  const { kv, counts } = countingKv(temp.kv);
  const seen = new SeenRows();
  assert.deepEqual([await increment(kv, seen), await increment(kv, seen)], [1, 2]);
  assert.deepEqual(counts, { reads: 1, commits: 2 });
  assert.equal(await readRow(temp.kv, count), 2);
});

Deno.test("a row that another process has changed since is read again, without a wait", async () => {
  await using temp = await tempKv();
  const { kv, counts } = countingKv(temp.kv);
  const seen = new SeenRows();
  await increment(kv, seen);
  await temp.kv.set(count, 10);
  assert.equal(await increment(kv, seen), 11);
  assert.deepEqual(counts, { reads: 2, commits: 3 });
});

Deno.test("a deleted row is known to be missing", async () => {
  await using temp = await tempKv();
  const { kv, counts } = countingKv(temp.kv);
  const seen = new SeenRows();
  await increment(kv, seen);
  const remove = (tx: AtomicOperation) => tx.delete(count);
  await cas(kv, { count }, () => ({ value: 0, write: remove }), { ...deps, seen });
  assert.equal(await increment(kv, seen), 1);
  assert.deepEqual(counts, { reads: 1, commits: 3 });
});

Deno.test("only the rows that were not seen are read", async () => {
  await using temp = await tempKv();
  await temp.kv.set(other, 5);
  const seen = new SeenRows();
  await increment(temp.kv, seen);
  const sum = await cas(temp.kv, { other, count }, (rows) => {
    const value = rows.other.value! + rows.count.value!;
    return { value, write: (tx) => tx.set(count, value) };
  }, { ...deps, seen });
  assert.equal(sum, 6);
});

Deno.test("a decision that writes nothing reads the rows, because no commit would check them", async () => {
  await using temp = await tempKv();
  const seen = new SeenRows();
  await increment(temp.kv, seen);
  await temp.kv.set(count, 10);
  assert.equal(await cas(temp.kv, { count }, (rows) => ({ value: rows.count.value }), { ...deps, seen }), 10);
});
