import assert from "node:assert/strict";
import { seededRandom } from "../../../dev/testing/seeded_random.ts";
import { createBatches } from "./batches.ts";
import { fits, sizeOf } from "./limits.ts";
import { openKv } from "./open.ts";
import { committing } from "./operation.ts";
import type { Kv, KvOperation } from "./port.ts";
import { wrap } from "./wrap.ts";

/** Returns a database that collects the operations that it commits. */
function observed(inner: Kv) {
  const operations: KvOperation[] = [];
  const commit = (operation: KvOperation) => {
    operations.push(operation);
    return inner.commit(operation);
  };
  return { operations, kv: wrap(inner, committing(commit)) };
}

Deno.test("writes of any size are all made, in operations that the database accepts and that have no room for the next", async () => {
  const { kv: inner, close } = await openKv(":memory:");
  const random = seededRandom(Date.now());
  const upTo = (max: number) => Math.ceil(random.float() * max);
  const { kv, operations } = observed(inner);
  const batches = createBatches(kv);
  const texts = ["a", "ü", "列", "🎉", "\0", '"'];
  const written = new Map<number, unknown>();
  for (let at = 0; at < 400; at++) {
    const text = texts[upTo(texts.length) - 1]!;
    const key = [at, text.repeat(upTo(random.float() < 0.3 ? 300 : 10))];
    const value = text.repeat(upTo(random.float() < 0.2 ? 9_000 : 100));
    await batches.add((tx) => tx.set(key, value));
    written.set(at, value);
  }
  await batches.flush();
  const rows = await Array.fromAsync(inner.list({ prefix: [] }));
  assert.deepEqual(new Map(rows.map(({ key, value }) => [key[0], value])), written);
  for (const [at, operation] of operations.entries()) {
    const [next] = operations[at + 1]?.mutations ?? [];
    const mutations = [...operation.mutations];
    assert.ok(fits(sizeOf({ mutations }), inner.engine.limits));
    if (next) assert.ok(!fits(sizeOf({ mutations: [...mutations, next] }), inner.engine.limits));
  }
  close();
});

Deno.test("the error of a commit reaches the caller, and what is added afterward is not lost silently", async () => {
  const { kv: inner, close } = await openKv(":memory:");
  const kv = wrap(inner, {
    ...committing(() => Promise.reject(new Error("the disk is full"))),
  });
  const batches = createBatches(kv);
  const addMany = async () => {
    for (let at = 0; at < 10_000; at++) await batches.add((tx) => tx.set([at], 1));
  };
  await assert.rejects(addMany, /the disk is full/);
  await assert.rejects(batches.flush(), /the disk is full/);
  close();
});
