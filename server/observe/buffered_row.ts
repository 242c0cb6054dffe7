import type { Clock, Log, Random } from "../deps.ts";
import { cas } from "../kv/cas.ts";
import { type Key, readRow } from "../kv/key.ts";

/** A value that is updated often and read rarely: buffered in memory and written to one row now and then. */
export interface BufferedRow<T> {
  note(more: T): void;
  /** Writes what was noted since the last flush. Keeps it for the next flush if the write fails; never rejects. */
  flush(): Promise<void>;
  /** Returns what this and other processes noted, including what is not written yet. */
  read(): Promise<T>;
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
 */
export function createBufferedRow<T>(
  { kv, clock, random, log }: { kv: Deno.Kv; clock: Clock; random: Random; log: Log },
  { key, name, nothing, join }: {
    key: Key<BufferedValue<T>>;
    name: string;
    nothing: T;
    join: (earlier: T, later: T) => T;
  },
): BufferedRow<T> {
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
            tx.set(key, { v: 1, calls: join(value?.calls ?? nothing, calls) } satisfies BufferedValue<T>);
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
