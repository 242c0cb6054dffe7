import type { Clock, Random } from "../deps.ts";
import { type EntriesOf, entriesOf, keysIn, type NamedKeys, readAll } from "./entries.ts";
import type { Entry, Key } from "./key.ts";
import type { AtomicOperation, Kv, KvKey } from "./port.ts";
import { recordWrites, type SeenRows } from "./seen_rows.ts";

/**
 * What `decide` returns: the value for the caller and, if it writes, the mutations. Or `"retry"`, if the keys depend on
 * a row that has changed since; keys and entries are then read again.
 */
export type Decision<Value> =
  | { value: Value; write?: ((tx: AtomicOperation) => void) | undefined }
  | "retry";

/** A condition on a row that every commit must meet: for example, that a job's lease is still held. */
export interface CommitFence {
  readonly key: Key<unknown>;
  /** @throws when the row under `key` forbids the commit; the error goes to the caller of `cas`. */
  check(entry: Entry<unknown>): void;
}

export interface CasOptions {
  clock: Clock;
  random: Random;
  /** Checked before every decision. Its key is read together with the other keys. */
  fence?: CommitFence | undefined;
  /** The first attempt reads only the rows that are not in it. Afterwards it has the latest version of each. */
  seen?: SeenRows | undefined;
}

/** Every attempt conflicted with another commit. Queue the callers of such a key with `Chains`. */
export class Contended extends Error {
  override readonly name = "Contended";
  constructor(keys: readonly KvKey[], attempts: number) {
    super(`${attempts} attempts in a row conflicted with other commits to ${keys.map(kindOfRow).join(", ")}`);
  }
}

const MAX_ATTEMPTS = 30;
const BACKOFF_MS = { first: 2, cap: 50 };

/**
 * Reads every key, calls `decide`, and commits its mutations with a check on **each** entry read, so that the commit
 * fails if any of them has changed. On such a conflict, `cas` reads and decides again.
 *
 * `decide` may run many times, so it must be pure. If it throws, nothing is written, and the error goes to the caller.
 * A decision without `write` commits nothing. With more than ten keys, such a decision may be based on two reads with
 * another commit between them, because only a commit proves that the reads are consistent.
 *
 * If a key depends on another row, pass `keys` as a function that reads that row and returns the keys. It runs again in
 * every attempt. `decide` then checks whether that row has changed, and returns `"retry"` if the keys no longer match.
 *
 * If the response to a commit is lost (KV Connect), `cas` rejects with that error, and the commit may have happened.
 *
 * @throws {Contended} after 30 attempts that conflicted or returned `"retry"`
 * @throws {RangeError} for more keys than one commit can check (see `Engine`)
 *
 * @example Take a seat, once per person
 * ```ts
 * import { cas } from "./cas.ts";
 * import { type Key, typed } from "./key.ts";
 * import type { Kv } from "./port.ts";
 * import { systemClock as clock, systemRandom as random } from "../deps.ts";
 *
 * const seatsKey: Key<number> = typed(["seats"]);
 * const takenKey = (person: string): Key<true> => typed(["taken", person]);
 *
 * export function takeSeat(kv: Kv, person: string): Promise<boolean> {
 *   return cas(kv, { seats: seatsKey, taken: takenKey(person) }, ({ seats, taken }) => {
 *     const left = seats.value ?? 0;
 *     if (taken.value || left === 0) return { value: false };
 *     return { value: true, write: (tx) => tx.set(seatsKey, left - 1).set(takenKey(person), true) };
 *   }, { clock, random });
 * }
 * ```
 */
export async function cas<Keys extends NamedKeys, Value>(
  kv: Kv,
  keys: Keys | (() => Promise<Keys>),
  decide: (entries: EntriesOf<Keys>) => Decision<Value>,
  { clock, random, fence, seen }: CasOptions,
): Promise<Value> {
  let read: Key<unknown>[] = [];
  let usedSeen = false;
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    // A row that was seen earlier and has changed since is no sign of a conflict.
    if (attempt > 0 && !usedSeen) {
      await clock.sleep(random.float() * Math.min(BACKOFF_MS.cap, BACKOFF_MS.first * 2 ** attempt));
    }
    const tree = typeof keys === "function" ? await keys() : keys;
    read = keysIn(tree);
    if (fence && !read.includes(fence.key)) read.push(fence.key);
    if (read.length > kv.engine.limits.checks) {
      throw new RangeError(`one commit can check ${kv.engine.limits.checks} keys, not ${read.length}`);
    }
    const known = attempt === 0 ? read.map((key) => seen?.get(key)) : [];
    usedSeen = known.some((entry) => entry !== undefined);
    const entries = await unlessLocked(() => readMissing(kv, read, known));
    if (entries === LOCKED) continue;
    seen?.note(entries);
    if (fence) fence.check(entries[read.indexOf(fence.key)]!);
    const decision = decide(entriesOf(tree, entries));
    if (decision === "retry") continue;
    const { value, write } = decision;
    if (!write) {
      // Without a commit, nothing checks that the rows seen earlier have not changed.
      if (usedSeen) continue;
      return value;
    }
    const tx = kv.atomic().check(...entries);
    const written = seen ? recordWrites(tx, write) : void write(tx);
    const committed = await unlessLocked(() => tx.commit());
    if (committed === LOCKED || !committed.ok) continue;
    if (written) seen?.update(written, committed.versionstamp);
    return value;
  }
  throw new Contended(read, MAX_ATTEMPTS);
}

/** Returns the entries of all keys. Reads those that are not `known`. */
async function readMissing(
  kv: Kv,
  keys: readonly Key<unknown>[],
  known: readonly (Entry<unknown> | undefined)[],
): Promise<Entry<unknown>[]> {
  const missing = keys.filter((_, at) => known[at] === undefined);
  const found = missing.length > 0 ? (await readAll(kv, missing)).values() : [].values();
  return keys.map((_, at) => known[at] ?? found.next().value!);
}

const LOCKED = Symbol("locked");

/** A conflict with a second process on the same file causes this error instead; nothing was written. */
async function unlessLocked<T>(work: () => Promise<T>): Promise<T | typeof LOCKED> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof TypeError && error.message.includes("database is locked")) return LOCKED;
    throw error;
  }
}

/** Returns only the kind of row: the other parts can contain an address, and error messages are logged. */
function kindOfRow(key: KvKey): string {
  return `[${key.slice(0, 3).map(String).join(", ")}${key.length > 3 ? ", …" : ""}]`;
}
