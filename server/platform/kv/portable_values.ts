import {
  type Kv,
  type KvEntry,
  type KvEntryMaybe,
  type KvKey,
  type KvMutation,
  type KvPage,
  KvU64,
  UnreadableRow,
} from "./port.ts";
import { listing } from "./listing.ts";
import { committing } from "./operation.ts";
import { wrap } from "./wrap.ts";

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/**
 * Returns the same database, but stores values as bytes that contain JSON.
 *
 * Deno stores objects in V8's own format, and older versions of V8 can't read newer formats: Deno 2.5 and 2.7 fail with
 * "could not deserialize value" on rows that 2.9 wrote. Every version can read bytes, so restoring a backup from another
 * machine, or running processes with different Deno versions, can't break the database.
 *
 * `KvU64` is not converted, because `sum` needs it and every version can read it. Existing rows in V8's format stay
 * readable.
 *
 * Reading a value that is no JSON throws `UnreadableRow`. A list can go on after it (see `listReadable`).
 */
export function withPortableValues(inner: Kv): Kv {
  const get = async (key: KvKey) => decoded(await inner.get(key));
  const set: Kv["set"] = (key, value, options) => inner.set(key, encode(value), options);
  return wrap(inner, {
    get,
    getMany: async (...args: Parameters<Kv["getMany"]>) => (await inner.getMany(...args)).map(decoded),
    ...listing(async (...args) => decodedPage(await inner.page(...args))),
    set,
    ...committing((operation) => inner.commit({ ...operation, mutations: encoded(operation.mutations) })),
  });
}

function encoded(mutations: readonly KvMutation[]): KvMutation[] {
  // The entries of an index share one value.
  let latest: { value: unknown; encoded: unknown } | undefined;
  return mutations.map((mutation) => {
    if (mutation.type !== "set") return mutation;
    const { value } = mutation;
    if (latest?.value !== value || typeof value !== "object") latest = { value, encoded: encode(value) };
    return { ...mutation, value: latest!.encoded };
  });
}

/** Ends before a row that can't be read, and throws if that is the first one. */
function decodedPage({ entries, more }: KvPage<unknown>): KvPage<unknown> {
  const readable: KvEntry<unknown>[] = [];
  for (const entry of entries) {
    try {
      readable.push(decoded(entry) as KvEntry<unknown>);
    } catch (error) {
      if (readable.length === 0) throw error;
      return { entries: readable, more: true };
    }
  }
  return { entries: readable, more };
}

/** Returns how a value is stored: as bytes, or as a number that can be summed up. */
export function encode(value: unknown): Uint8Array | KvU64 {
  return value instanceof KvU64 ? value : encoder.encode(JSON.stringify(value));
}

function decoded<T>(entry: KvEntryMaybe<T>): KvEntryMaybe<T> {
  if (!(entry.value instanceof Uint8Array)) return entry;
  try {
    return { ...entry, value: JSON.parse(decoder.decode(entry.value)) };
  } catch {
    // The error of the parser quotes the value.
    throw new UnreadableRow(entry.key);
  }
}
