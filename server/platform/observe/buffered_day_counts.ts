import type { Clock, Log, Random } from "../deps.ts";
import type { AtomicOperation, Kv } from "../kv/port.ts";
import { createDayCounts, type DayCount, type DayCountKeys, type FormDay } from "./day_counts.ts";
import { createFlushOnce } from "./flush_once.ts";
import { type DayOf, utcDay } from "./days.ts";

/** Counts by day that are collected in memory and written now and then. */
export interface BufferedDayCounts {
  /** Today, as the counts call it. */
  today(): number;
  /** Adds one to a count of today, without waiting for the database. */
  count(form: string, entry: string): void;
  /** Lets a commit add one to a count of today. */
  add(tx: AtomicOperation, form: string, entry: string): void;
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
  { kv, clock, random, log, dayOf = utcDay }: {
    kv: Kv;
    clock: Clock;
    random: Random;
    log: Log;
    dayOf?: DayOf;
  },
  { name, keys }: { name: string; keys: DayCountKeys },
): BufferedDayCounts {
  const rows = createDayCounts({ kv, clock, log, keys, dayOf });
  let open = new Map<string, DayCount>();
  const today = () => dayOf(clock.now());

  function keep(counted: DayCount): void {
    const id = `${counted.day} ${counted.entry} ${counted.form}`;
    const found = open.get(id);
    if (found) found.count += counted.count;
    else open.set(id, { ...counted });
  }

  function write(tx: AtomicOperation, counted: DayCount): void {
    rows.add(tx, counted);
    rows.keepCurrent(tx, counted.day);
  }

  const writer = createFlushOnce<DayCount>({ kv, clock, random, log }, { name, write });

  return {
    today,
    count: (form, entry) => keep({ day: today(), form, entry, count: 1 }),
    add: (tx, form, entry) => write(tx, { day: today(), form, entry, count: 1 }),
    flush: () =>
      writer.flush(() => {
        const counts = [...open.values()];
        open = new Map();
        return counts;
      }),
    read: (from, until) =>
      writer.read(async () => {
        const unwritten = [...writer.unwritten(), ...open.values()].map((each) => ({
          ...each,
          day: Math.min(each.day, today()),
        }))
          .filter(({ day }) => day >= from && day < until);
        return [
          ...await rows.read(from, until),
          ...unwritten.map(({ day, form, entry, count }) => ({ day, form, entries: { [entry]: count } })),
        ];
      }),
  };
}
