import { serialize } from "node:v8";
import { type KvLimits, type OperationSize, sizeOf, withLimits } from "../../server/platform/kv/limits.ts";
import { Operation } from "../../server/platform/kv/operation.ts";
import { wrap } from "../../server/platform/kv/wrap.ts";

const OF_ONE_OPERATION = [
  "checks",
  "mutations",
  "keyBytes",
  "bytes",
] as const satisfies (keyof OperationSize)[];

/**
 * Returns the same database, but every call that exceeds `limits` fails with the name of the limit, although this engine
 * may allow it. So tests find what would fail on another engine.
 */
export function limitedKv(inner: Deno.Kv, limits: KvLimits): Deno.Kv {
  const commit = async (operation: Operation) => {
    const { checks, mutations } = operation;
    const size = sizeOf({ checks, mutations: mutations.map(stored) });
    for (const name of OF_ONE_OPERATION) allow(name, size[name], limits);
    return await operation.addTo(inner.atomic()).commit();
  };
  const getMany = async (
    keys: readonly Deno.KvKey[],
    options?: { consistency?: Deno.KvConsistencyLevel },
  ) => {
    allow("keysPerRead", keys.length, limits);
    return await inner.getMany(keys, options);
  };
  return withLimits(wrap(inner, { atomic: () => new Operation(commit), getMany }), limits);
}

/** Returns a mutation with its value as bytes: as Deno stores it, unless `withPortableValues` has encoded it. */
function stored(mutation: Deno.KvMutation): Deno.KvMutation {
  if (mutation.type !== "set" || mutation.value instanceof Uint8Array) return mutation;
  if (mutation.value instanceof Deno.KvU64) return mutation;
  return { ...mutation, value: serialize(mutation.value) };
}

function allow(name: keyof KvLimits, used: number, limits: KvLimits): void {
  if (used > limits[name]) throw new TypeError(`Too many ${name}: ${used} (max ${limits[name]})`);
}
