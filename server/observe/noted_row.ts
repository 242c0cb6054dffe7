import type { Clock, Log, Random } from "../deps.ts";
import { cas } from "../kv/cas.ts";
import { type Key, readRow } from "../kv/key.ts";

/** Something that is noted often and read seldom: kept in memory, and written into one row now and then. */
export interface NotedRow<T> {
  note(more: T): void;
  /** Write what was noted since the last time. A failed write is kept for the next; never rejects. */
  flush(): Promise<void>;
  /** What is not yet written included, and what other processes wrote. */
  read(): Promise<T>;
}

/** The row, as it is stored. */
export interface Noted<T> {
  v: 1;
  calls: T;
}

/**
 * @param name of the log's line when a write fails
 * @param join what was noted first with what was noted later; must keep the row small
 */
export function createNotedRow<T>(
  { kv, clock, random, log }: { kv: Deno.Kv; clock: Clock; random: Random; log: Log },
  { key, name, nothing, join }: {
    key: Key<Noted<T>>;
    name: string;
    nothing: T;
    join: (earlier: T, later: T) => T;
  },
): NotedRow<T> {
  let noted: T | undefined;

  return {
    note(more) {
      noted = join(noted ?? nothing, more);
    },
    async flush() {
      if (noted === undefined) return;
      const calls = noted;
      noted = undefined;
      try {
        await cas(kv, { row: key }, ({ row: { value } }) => ({
          value: undefined,
          write(tx) {
            tx.set(key, { v: 1, calls: join(value?.calls ?? nothing, calls) } satisfies Noted<T>);
          },
        }), { clock, random });
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
