import type { Clock, Log } from "../deps.ts";
import { Chains } from "../kv/chains.ts";
import { createDayCounts, type DayCount, type DayCountKeys, type FormDay } from "./day_counts.ts";
import { type DayOf, utcDay } from "./site_days.ts";

/** Each count is one mutation and each day at most one more; a commit may have 1,000. */
const COUNTS_PER_COMMIT = 800;

/** Counts by day that are collected in memory and written now and then. */
export interface BufferedDayCounts {
  /** Today, as the counts call it. */
  today(): number;
  /** Adds one to a count of today, without waiting for the database. */
  count(form: string, entry: string): void;
  /** Lets a commit add one to a count of today. */
  add(tx: Deno.AtomicOperation, form: string, entry: string): void;
  /** Writes the counts since the last flush. Keeps those that could not be written. Never rejects. */
  flush(): Promise<void>;
  /**
   * Returns the counts from one day to another (exclusive), with those not written yet. A form may occur several times on
   * a day; add up its counts.
   */
  read(from: number, until: number): Promise<FormDay[]>;
}

/**
 * Creates the buffer.
 *
 * @param name log event `NAME.flush_failed` for a failed write
 */
export function createBufferedDayCounts(
  { kv, clock, log, dayOf = utcDay }: { kv: Deno.Kv; clock: Clock; log: Log; dayOf?: DayOf },
  { name, keys }: { name: string; keys: DayCountKeys },
): BufferedDayCounts {
  const rows = createDayCounts({ kv, clock, log, keys, dayOf });
  let open = new Map<string, DayCount>();
  /** While counts are being written, nobody can know whether the database has them already. So reads wait. */
  const chains = new Chains();
  const inTurn = <T>(work: () => Promise<T>) => chains.run([name], work);
  const today = () => dayOf(clock.now());

  function keep(counted: DayCount): void {
    const id = `${counted.day} ${counted.entry} ${counted.form}`;
    const found = open.get(id);
    if (found) found.count += counted.count;
    else open.set(id, { ...counted });
  }

  function addAll(tx: Deno.AtomicOperation, batch: readonly DayCount[]): Deno.AtomicOperation {
    for (const each of batch) rows.add(tx, each);
    for (const day of new Set(batch.map(({ day }) => day))) rows.keepCurrent(tx, day);
    return tx;
  }

  return {
    today,
    count: (form, entry) => keep({ day: today(), form, entry, count: 1 }),
    add: (tx, form, entry) => void addAll(tx, [{ day: today(), form, entry, count: 1 }]),
    flush: () =>
      inTurn(async () => {
        const counts = [...open.values()];
        open = new Map();
        while (counts.length > 0) {
          const batch = counts.splice(0, COUNTS_PER_COMMIT);
          try {
            await addAll(kv.atomic(), batch).commit();
          } catch (error) {
            log.error(`${name}.flush_failed`, { error });
            for (const each of [...batch, ...counts.splice(0)]) keep(each);
          }
        }
      }),
    read: (from, until) =>
      inTurn(async () => {
        const unwritten = [...open.values()].map((each) => ({ ...each, day: Math.min(each.day, today()) }))
          .filter(({ day }) => day >= from && day < until);
        return [
          ...await rows.read(from, until),
          ...unwritten.map(({ day, form, entry, count }) => ({ day, form, entries: { [entry]: count } })),
        ];
      }),
  };
}
