import type { Clock, Log, Random } from "../deps.ts";
import { cas } from "../kv/cas.ts";
import { Chains } from "../kv/chains.ts";
import { divide, sizeOfWrites } from "../kv/divide.ts";
import { type Key, typed } from "../kv/key.ts";
import { keys } from "../kv/keys.ts";
import type { AtomicOperation, Kv } from "../kv/port.ts";

/** IDs of the latest flushes of all processes. */
interface FlushedRow {
  v: 1;
  ids: string[];
}

/**
 * How many flushes are remembered. A process whose flush got no answer repeats it a minute later, before any other of its
 * own, and has to find its ID then.
 */
const REMEMBERED = 50;

/** Returns the IDs with one more, or undefined if they contain it already. */
export function rememberFlush(ids: readonly string[] | undefined, id: string): string[] | undefined {
  if (ids?.includes(id)) return undefined;
  return [...(ids ?? []), id].slice(-REMEMBERED);
}

/** Counts of this process on their way to the database. */
export interface FlushOnce<T> {
  /** Returns what is not known to be written. Call it in a `read`. */
  unwritten(): T[];
  /** Reads while nothing is being written: meanwhile nobody can know whether the database has it already. */
  read<R>(work: () => Promise<R>): Promise<R>;
  /**
   * Writes what `take` returns, unless earlier counts can't be written yet. Counts whose write failed are written by the
   * next flush, and count once even if only the response was lost. Never rejects.
   */
  flush(take: () => T[]): Promise<void>;
}

/**
 * Creates the writer of buffered counts.
 *
 * @param name log event `NAME.flush_failed` for a failed write
 * @param write adds a piece of the counts to an operation; each piece is written whole
 */
export function createFlushOnce<T>(
  { kv, clock, random, log }: { kv: Kv; clock: Clock; random: Random; log: Log },
  { name, write }: { name: string; write: (tx: AtomicOperation, piece: T) => void },
): FlushOnce<T> {
  const key: Key<FlushedRow> = typed(keys.flushed(name));
  const row = (ids: string[]): FlushedRow => ({ v: 1, ids });
  const mark = sizeOfWrites((tx) =>
    tx.check({ key, versionstamp: null }).set(key, row(Array(REMEMBERED).fill(random.uuid())))
  );
  let flushes: { id: string; pieces: T[] }[] = [];

  const make = ({ id, pieces }: typeof flushes[number]) =>
    cas(kv, { flushed: key }, ({ flushed }) => {
      const ids = rememberFlush(flushed.value?.ids, id);
      if (!ids) return { value: undefined };
      return {
        value: undefined,
        write(tx) {
          tx.set(key, row(ids));
          for (const piece of pieces) write(tx, piece);
        },
      };
    }, { clock, random });

  async function makeAll(): Promise<void> {
    while (flushes[0]) {
      await make(flushes[0]);
      flushes.shift();
    }
  }

  const chains = new Chains();
  const inTurn = <R>(work: () => Promise<R>) => chains.run([name], work);

  return {
    unwritten: () => flushes.flatMap(({ pieces }) => pieces),
    read: inTurn,
    flush: (take) =>
      inTurn(async () => {
        try {
          await makeAll();
          flushes = divide(kv, take(), write, mark).map((pieces) => ({ id: random.uuid(), pieces }));
          await makeAll();
        } catch (error) {
          log.error(`${name}.flush_failed`, { error });
        }
      }),
  };
}
