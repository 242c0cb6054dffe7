import type { Clock, Log, Random } from "../deps.ts";
import { cas } from "../kv/cas.ts";
import { type Entry, type Key, readRow } from "../kv/key.ts";
import type { AtomicOperation, Kv } from "../kv/port.ts";
import { rememberFlush } from "./flush_once.ts";

/** A value that is updated often and read rarely: buffered in memory and written to one row now and then. */
export interface BufferedRow<T> {
  note(more: T): void;
  /** Writes what was noted since the last flush. Keeps it for the next flush if the write fails; never rejects. */
  flush(): Promise<void>;
  /** Returns what this and other processes noted, including what is not written yet. */
  read(): Promise<T>;
}

/** A change of another row that the flush makes in the same commit. */
export interface FlushEffect<T, Row = unknown> {
  key: Key<Row>;
  /** @param before what was stored, `after` what the flush stores */
  isDue(before: T, after: T): boolean;
  write(tx: AtomicOperation, entry: Entry<Row>): void;
}

/** The stored row. */
export interface BufferedValue<T> {
  v: 1;
  calls: T;
  /** IDs of the latest flushes; absent in rows of earlier versions. */
  flushes?: string[];
}

/**
 * Creates a buffered row.
 *
 * @param name log event for a failed write
 * @param join combines earlier and later notes; must keep the row small
 * @param correct corrects times that were noted while the clock was ahead (`stored_time.ts`)
 * @param effect its row is read only by a flush that changes it
 */
export function createBufferedRow<T, Row = unknown>(
  { kv, clock, random, log }: { kv: Kv; clock: Clock; random: Random; log: Log },
  { key, name, nothing, join, correct, effect }: {
    key: Key<BufferedValue<T>>;
    name: string;
    nothing: T;
    join: (earlier: T, later: T) => T;
    correct: (value: T, now: number) => T;
    effect?: FlushEffect<T, Row> | undefined;
  },
): BufferedRow<T> {
  let noted: T | undefined;
  /** What is being written, or may have been written although its flush failed. */
  let flush: { id: string; calls: T } | undefined;
  /** Returns what was stored before, and that together with what was noted. */
  function joined(stored: BufferedValue<T> | null, calls: T): { before: T; after: T } {
    const now = clock.now();
    const before = correct(stored?.calls ?? nothing, now);
    return { before, after: join(before, correct(calls, now)) };
  }

  /**
   * Writes the flush, with its effect if that is due and `reads` its row.
   *
   * @returns whether the effect is due and its row was not read; nothing is then written
   */
  const write = ({ id, calls }: { id: string; calls: T }, reads?: Key<Row>): Promise<boolean> =>
    cas(kv, { row: key, affected: reads }, ({ row: { value }, affected }) => {
      const flushes = rememberFlush(value?.flushes, id);
      if (!flushes) return { value: false };
      const { before, after } = joined(value, calls);
      const due = effect?.isDue(before, after) ? effect : undefined;
      if (due && !affected) return { value: true };
      return {
        value: false,
        write(tx) {
          tx.set(key, { v: 1, calls: after, flushes } satisfies BufferedValue<T>);
          if (affected) due?.write(tx, affected);
        },
      };
    }, { clock, random });

  /** Writes the flush that is under way. */
  async function finish(): Promise<void> {
    if (!flush) return;
    if (await write(flush)) await write(flush, effect!.key);
    flush = undefined;
  }

  return {
    note(more) {
      noted = join(noted ?? nothing, more);
    },
    async flush() {
      try {
        await finish();
        if (noted === undefined) return;
        flush = { id: random.uuid(), calls: noted };
        noted = undefined;
        await finish();
      } catch (error) {
        log.error(`${name}.flush`, { error });
      }
    },
    async read() {
      const row = await readRow(kv, key);
      const isWritten = flush === undefined || row?.flushes?.includes(flush.id);
      const unwritten = isWritten ? nothing : flush!.calls;
      return joined(row, join(unwritten, noted ?? nothing)).after;
    },
  };
}
