import type { Clock, Random } from "../deps.ts";
import { type EntriesOf, entriesOf, keysIn, type NamedKeys, readAll } from "./entries.ts";
import type { Entry, Key } from "./key.ts";

/**
 * What `decide` returns: the value for the caller and, if anything is to be written, the mutations. Or `"retry"`, when
 * the keys depend on a row that has changed since: keys and entries are then read again.
 */
export type Decision<Value> =
  | { value: Value; write?: ((tx: Deno.AtomicOperation) => void) | undefined }
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
  /** Checked before every decision. Its key is read along, or only once if it is among the keys too. */
  fence?: CommitFence | undefined;
}

/** Every try lost its race: the key is too hot for check-and-set alone; put `Chains` in front of it. */
export class Contended extends Error {
  override readonly name = "Contended";
  constructor(keys: readonly Deno.KvKey[], tries: number) {
    super(`${tries} tries in a row lost the race for ${keys.map(printable).join(", ")}`);
  }
}

const TRIES = 30;
const BACKOFF_MS = { first: 2, cap: 50 };
/** A limit of Deno KV. */
const CHECKS_A_COMMIT = 100;

/**
 * Reads every key, asks `decide` what to do, and commits it with a check on **each** entry read, so that the commit
 * fails if any of them has changed. When the race is lost, `cas` reads and decides again.
 *
 * `decide` may run many times: it must be pure. What it throws goes to the caller, and nothing is written.
 * A decision without `write` commits nothing; with more than ten keys it may then rest on two reads that
 * another commit fell between, because only a commit proves that they belong together.
 *
 * Where a key depends on another row, `keys` is a function that reads that row and returns the keys. It runs again for
 * every try. `decide` then compares what that row is by now and returns `"retry"` if the keys no longer fit.
 *
 * A commit whose answer was lost on the way (KV Connect) rejects with that error: it may have happened.
 *
 * @throws {Contended} after 30 tries that lost their race or asked for a retry.
 * @throws {RangeError} for more than 100 keys, the most that one commit can check.
 *
 * @example Take a seat, once per person
 * ```ts
 * import { cas } from "./cas.ts";
 * import { type Key, typed } from "./key.ts";
 * import { systemClock as clock, systemRandom as random } from "../deps.ts";
 *
 * const seatsKey: Key<number> = typed(["seats"]);
 * const takenKey = (person: string): Key<true> => typed(["taken", person]);
 *
 * export function takeSeat(kv: Deno.Kv, person: string): Promise<boolean> {
 *   return cas(kv, { seats: seatsKey, taken: takenKey(person) }, ({ seats, taken }) => {
 *     const left = seats.value ?? 0;
 *     if (taken.value || left === 0) return { value: false };
 *     return { value: true, write: (tx) => tx.set(seatsKey, left - 1).set(takenKey(person), true) };
 *   }, { clock, random });
 * }
 * ```
 */
export async function cas<Keys extends NamedKeys, Value>(
  kv: Deno.Kv,
  keys: Keys | (() => Promise<Keys>),
  decide: (entries: EntriesOf<Keys>) => Decision<Value>,
  { clock, random, fence }: CasOptions,
): Promise<Value> {
  let read: Key<unknown>[] = [];
  for (let lost = 0; lost < TRIES; lost++) {
    if (lost > 0) {
      await clock.sleep(random.float() * Math.min(BACKOFF_MS.cap, BACKOFF_MS.first * 2 ** lost));
    }
    const tree = typeof keys === "function" ? await keys() : keys;
    read = keysIn(tree);
    if (fence && !read.includes(fence.key)) read.push(fence.key);
    if (read.length > CHECKS_A_COMMIT) {
      throw new RangeError(`one commit can check ${CHECKS_A_COMMIT} keys, not ${read.length}`);
    }
    const entries = await unlessLocked(() => readAll(kv, read));
    if (entries === LOCKED) continue;
    if (fence) fence.check(entries[read.indexOf(fence.key)]!);
    const decision = decide(entriesOf(tree, entries));
    if (decision === "retry") continue;
    const { value, write } = decision;
    if (!write) return value;
    const tx = kv.atomic().check(...entries);
    write(tx);
    const committed = await unlessLocked(() => tx.commit());
    if (committed !== LOCKED && committed.ok) return value;
  }
  throw new Contended(read, TRIES);
}

const LOCKED = Symbol("locked");

/** A second process on the same file answers so where a lost race is meant; nothing was written. */
async function unlessLocked<T>(work: () => Promise<T>): Promise<T | typeof LOCKED> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof TypeError && error.message.includes("database is locked")) return LOCKED;
    throw error;
  }
}

/** The kind of row only: the parts behind it can hold an address, and messages end in logs. */
function printable(key: Deno.KvKey): string {
  return `[${key.slice(0, 3).map(String).join(", ")}${key.length > 3 ? ", …" : ""}]`;
}
