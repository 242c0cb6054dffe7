import type { Clock } from "../../deps.ts";
import { EMBEDDED_LIMITS, REMOTE_LIMITS } from "../limits.ts";
import { listing } from "../listing.ts";
import { committing } from "../operation.ts";
import {
  type Engine,
  type Kv,
  type KvEntry,
  type KvEntryMaybe,
  type KvKey,
  type KvMutation,
  type KvOperation,
  KvU64,
} from "../port.ts";
import { isBelow } from "../key.ts";
import { encode } from "../portable_values.ts";
import { createWatchedChanges } from "./watched_changes.ts";

/** The embedded engine, which is SQLite in this process. */
export const FILE_ENGINE: Engine = { name: "file", limits: EMBEDDED_LIMITS, shared: false };
export const MEMORY_ENGINE: Engine = { ...FILE_ENGINE, name: "memory" };
export const KV_CONNECT_ENGINE: Engine = { name: "KV Connect", limits: REMOTE_LIMITS, shared: true };
export const DENO_DEPLOY_ENGINE: Engine = { ...KV_CONNECT_ENGINE, name: "Deno Deploy" };

/** How processes hear of each other's changes. */
export interface Announcements {
  clock: Pick<Clock, "sleep">;
  /** Commits that write a row at or below one of these keys are announced. */
  announced: readonly KvKey[];
}

/**
 * Opens a database of Deno itself, without the layers that `openKv` adds.
 *
 * @param address a file, `:memory:`, the URL of a KV Connect server, or undefined for the database of Deno Deploy
 * @param announcements without them, no change is announced
 */
export async function openDenoKv(
  address: string | undefined,
  engine: Engine = FILE_ENGINE,
  announcements?: Announcements,
): Promise<Kv> {
  return ofDenoKv(await Deno.openKv(address), engine, announcements);
}

function ofDenoKv(raw: Deno.Kv, engine: Engine, announcements?: Announcements): Kv {
  const changes = announcements && createWatchedChanges({
    watch: (row) => raw.watch([row]),
    touch: (row) => raw.set(row, encode({ v: 1 })),
    clock: announcements.clock,
  });

  async function commit({ checks, mutations, gate }: KvOperation) {
    const tx = raw.atomic().check(...checks, ...gate ? [gate] : []);
    for (const mutation of mutations) add(tx, mutation);
    const result = await tx.commit();
    // Waited for, because a command may end right after its commit.
    if (changes && result.ok && mutations.some(({ key }) => isBelow(key, announcements.announced))) {
      await changes.announce();
    }
    return result;
  }
  return {
    engine,
    get: async <T>(key: Parameters<Kv["get"]>[0]) => entryOf(await raw.get<T>(key)),
    getMany: async (keys) => (await raw.getMany<unknown[]>(keys)).map(entryOf) as never,
    ...listing(async (selector, { limit, reverse = false }) => {
      const rows = raw.list(selector, { limit, reverse, batchSize: limit });
      const entries = await Array.fromAsync(rows, (entry) => entryOf(entry) as KvEntry<unknown>);
      return { entries, more: entries.length === limit };
    }),
    set: (key, value, options) => raw.set(key, storable(value), options),
    delete: (key) => raw.delete(key),
    ...committing(commit),
    ...changes && { changes },
    changeGate: (before, value) => raw.atomic().check(before).set(before.key, value).commit(),
    close: () => Promise.resolve(raw.close()),
    [Symbol.dispose]: () => raw.close(),
  };
}

function add(tx: Deno.AtomicOperation, mutation: KvMutation): void {
  const { key } = mutation;
  if (mutation.type === "delete") tx.delete(key);
  else if (mutation.type === "sum") tx.sum(key, mutation.value.value);
  else if (mutation.expireIn === undefined) tx.set(key, storable(mutation.value));
  else tx.set(key, storable(mutation.value), { expireIn: mutation.expireIn });
}

function entryOf<T>(entry: Deno.KvEntryMaybe<T>): KvEntryMaybe<T> {
  if (!(entry.value instanceof Deno.KvU64)) return entry as KvEntryMaybe<T>;
  return { ...entry, value: new KvU64(entry.value.value) } as KvEntryMaybe<T>;
}

function storable(value: unknown): unknown {
  return value instanceof KvU64 ? new Deno.KvU64(value.value) : value;
}
