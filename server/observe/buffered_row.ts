import type { Clock, Log, Random } from "../deps.ts";
import { cas } from "../kv/cas.ts";
import { type Entry, type Key, readRow } from "../kv/key.ts";

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
  write(tx: Deno.AtomicOperation, entry: Entry<Row>): void;
}

/** The stored row. */
export interface BufferedValue<T> {
  v: 1;
  calls: T;
}

/**
 * Creates a buffered row.
 *
 * @param name log event for a failed write
 * @param join combines earlier and later notes; must keep the row small
 * @param effect its row is read only by a flush that changes it
 */
export function createBufferedRow<T, Row = unknown>(
  { kv, clock, random, log }: { kv: Deno.Kv; clock: Clock; random: Random; log: Log },
  { key, name, nothing, join, effect }: {
    key: Key<BufferedValue<T>>;
    name: string;
    nothing: T;
    join: (earlier: T, later: T) => T;
    effect?: FlushEffect<T, Row> | undefined;
  },
): BufferedRow<T> {
  let noted: T | undefined;

  /** @returns whether the effect is due; nothing is then written */
  const write = (calls: T): Promise<boolean> =>
    cas(kv, { row: key }, ({ row: { value } }) => {
      const before = value?.calls ?? nothing;
      const after = join(before, calls);
      if (effect?.isDue(before, after)) return { value: true };
      return { value: false, write: (tx) => put(tx, after) };
    }, { clock, random });

  const writeWithEffect = (calls: T, effect: FlushEffect<T, Row>): Promise<void> =>
    cas(kv, { row: key, affected: effect.key }, ({ row: { value }, affected }) => {
      const before = value?.calls ?? nothing;
      const after = join(before, calls);
      return {
        value: undefined,
        write(tx) {
          put(tx, after);
          if (effect.isDue(before, after)) effect.write(tx, affected);
        },
      };
    }, { clock, random });

  const put = (tx: Deno.AtomicOperation, calls: T) =>
    void tx.set(key, { v: 1, calls } satisfies BufferedValue<T>);

  return {
    note(more) {
      noted = join(noted ?? nothing, more);
    },
    async flush() {
      if (noted === undefined) return;
      const calls = noted;
      noted = undefined;
      try {
        if (await write(calls)) await writeWithEffect(calls, effect!);
      } catch (error) {
        log.error(`${name}.flush`, { error });
        noted = join(calls, noted ?? nothing);
      }
    },
    async read() {
      const written = (await readRow(kv, key))?.calls ?? nothing;
      return join(written, noted ?? nothing);
    },
  };
}
