import type { Clock, Random } from "../deps.ts";

/** What a decision comes to: the caller's value and, if anything is to be written, the mutations. */
export interface Decision<T> {
  value: T;
  write?: ((tx: Deno.AtomicOperation) => void) | undefined;
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
/** Limits of Deno KV: keys a `getMany`, checks an atomic. */
const KEYS_A_READ = 10;
const CHECKS_A_COMMIT = 100;

/**
 * Reads every key, asks `decide` what to do, and commits it with a check on **each** entry read, so that what
 * was decided on is what is still there. When the race is lost, all is read and decided anew.
 *
 * `decide` may run many times: it must be pure. What it throws goes to the caller, and nothing is written.
 * A decision without `write` commits nothing; with more than ten keys it may then rest on two reads that
 * another commit fell between, because only a commit proves that they belong together.
 *
 * A commit whose answer was lost on the way (KV Connect) rejects with that error: it may have happened.
 *
 * @throws {Contended} after 30 lost races.
 * @throws {RangeError} for more than 100 keys, the most that one commit can check.
 *
 * @example Take one from a counter
 * ```ts
 * const taken = await cas(kv, [["seats"]], ([seats]: [Deno.KvEntryMaybe<number>]) => {
 *   const left = seats.value ?? 0;
 *   if (left === 0) return { value: false };
 *   return { value: true, write: (tx) => tx.set(["seats"], left - 1) };
 * }, { clock, random });
 * ```
 */
export async function cas<E extends readonly Deno.KvEntryMaybe<unknown>[], T>(
  kv: Deno.Kv,
  keys: readonly Deno.KvKey[],
  decide: (entries: E) => Decision<T>,
  { clock, random }: { clock: Clock; random: Random },
): Promise<T> {
  if (keys.length > CHECKS_A_COMMIT) {
    throw new RangeError(`one commit can check ${CHECKS_A_COMMIT} keys, not ${keys.length}`);
  }
  for (let lost = 0; lost < TRIES; lost++) {
    if (lost > 0) {
      await clock.sleep(random.float() * Math.min(BACKOFF_MS.cap, BACKOFF_MS.first * 2 ** lost));
    }
    const entries = await unlessLocked(() => readAll(kv, keys));
    if (entries === LOCKED) continue;
    const { value, write } = decide(entries as unknown as E);
    if (!write) return value;
    const tx = kv.atomic().check(...entries);
    write(tx);
    const committed = await unlessLocked(() => tx.commit());
    if (committed !== LOCKED && committed.ok) return value;
  }
  throw new Contended(keys, TRIES);
}

async function readAll(kv: Deno.Kv, keys: readonly Deno.KvKey[]): Promise<Deno.KvEntryMaybe<unknown>[]> {
  const entries: Deno.KvEntryMaybe<unknown>[] = [];
  for (let from = 0; from < keys.length; from += KEYS_A_READ) {
    entries.push(...await kv.getMany<unknown[]>(keys.slice(from, from + KEYS_A_READ)));
  }
  return entries;
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
