import { serialize } from "node:v8";
import { requireBelow, requireFits, sizeOf, withLimits } from "../../server/platform/kv/limits.ts";
import { committing } from "../../server/platform/kv/operation.ts";
import {
  type Kv,
  type KvKey,
  type KvLimits,
  type KvMutation,
  type KvOperation,
  KvU64,
} from "../../server/platform/kv/port.ts";
import { wrap } from "../../server/platform/kv/wrap.ts";

/**
 * Returns the same database, but every call that exceeds `limits` fails with the name of the limit, although this engine
 * may allow it. So tests find what would fail on another engine.
 */
export function limitedKv(inner: Kv, limits: KvLimits): Kv {
  const commit = async (operation: KvOperation) => {
    const { checks, mutations } = operation;
    requireFits(sizeOf({ checks, mutations: mutations.map(stored) }), limits);
    return await inner.commit(operation);
  };
  const getMany = async (keys: readonly KvKey[]) => {
    requireBelow("keysPerRead", keys.length, limits);
    return await inner.getMany(keys);
  };
  return withLimits(wrap(inner, { ...committing(commit), getMany }), limits);
}

/** Returns a mutation with its value as bytes: as Deno stores it, unless `withPortableValues` has encoded it. */
function stored(mutation: KvMutation): KvMutation {
  if (mutation.type !== "set" || mutation.value instanceof Uint8Array) return mutation;
  if (mutation.value instanceof KvU64) return mutation;
  return { ...mutation, value: serialize(mutation.value) };
}
