import type { Clock, Log } from "../deps.ts";
import type { AtomicOperation, Kv, KvEntry, KvU64 } from "../kv/port.ts";
import { type DayOf, utcDay } from "./days.ts";
import { type Key, typed } from "../kv/key.ts";
import { divide } from "../kv/divide.ts";
import type { Shape } from "../kv/keys.ts";
import { valueSize } from "../kv/limits.ts";

export const DAY_MS = 24 * 60 * 60 * 1000;
const ROWS_PER_READ = 500;
/** Time zones differ by up to 26 hours, which can be two days. */
export const DAYS_BETWEEN_ZONES = 2;

/** The counts of one form on one day. */
export interface FormDay {
  /** Days since 1970, in the site's time zone. */
  day: number;
  form: string;
  /** Counts by `CounterEntry`, `requests`, or `note.` followed by a `Note`. */
  entries: Readonly<Record<string, number>>;
}

/** A count for one day. */
export interface DayCount {
  day: number;
  form: string;
  entry: string;
  count: number;
}

/**
 * All counts of a day that is over, so that a long period takes one row per day. Without `counts`, some were added later,
 * and the summary is made again when the day is next read.
 */
interface SummaryRow {
  v: 1;
  counts?: Pick<FormDay, "form" | "entries">[];
}

/** Where the counts are stored. */
export interface DayCountKeys {
  row(day: number, form: string, entry: string): Shape;
  /** Start of the rows of a day. */
  from(day: number): Shape;
  summary(day: number): Shape;
}

/** The counters by day. */
export interface DayCounts {
  /** Lets a commit add to a count. */
  add(tx: AtomicOperation, count: DayCount): void;
  /** Must be part of every commit that adds counts to a day, so that no summary lacks them. */
  keepCurrent(tx: AtomicOperation, day: number): void;
  /**
   * Returns the counts from one day to another (exclusive). Stores summaries of the days that are over. Today includes
   * what was counted for a later day, before the site's time zone was changed.
   */
  read(from: number, until: number): Promise<FormDay[]>;
}

export function createDayCounts(
  { kv, clock, log, keys, dayOf = utcDay }: {
    kv: Kv;
    clock: Clock;
    log: Log;
    keys: DayCountKeys;
    dayOf?: DayOf | undefined;
  },
): DayCounts {
  const summaryKey = (day: number): Key<SummaryRow> => typed(keys.summary(day));
  const today = () => dayOf(clock.now());

  async function readRows(from: number, until: number): Promise<FormDay[]> {
    const range = { start: keys.from(from), end: keys.from(until) };
    const found: { day: number; form: string; entries: Record<string, number> }[] = [];
    for await (const { key, value } of kv.list<KvU64>(range, { batchSize: ROWS_PER_READ })) {
      const [day, form, entry] = key.slice(-3) as [number, string, string];
      // The rows of one form on one day follow each other.
      let last = found.at(-1);
      if (last?.day !== day || last.form !== form) found.push(last = { day, form, entries: {} });
      last.entries[entry] = Number(value.value);
    }
    return found;
  }

  async function readSummaries(from: number, until: number) {
    const range = { start: summaryKey(from), end: summaryKey(until) };
    const found = new Map<number, KvEntry<SummaryRow>>();
    for await (const entry of kv.list<SummaryRow>(range, { batchSize: ROWS_PER_READ })) {
      found.set(Number(entry.key.at(-1)), entry);
    }
    return found;
  }

  /** Stores summaries, unless counts were added to one of the days since their summaries were read, or one is too large. */
  async function store(rows: readonly [day: number, row: SummaryRow, versionstamp: string | null][]) {
    const storable = rows.filter(([, row]) => valueSize(row) <= kv.engine.limits.valueSize);
    const write = (tx: AtomicOperation, [day, row, versionstamp]: typeof rows[number]) =>
      void tx.check({ key: summaryKey(day), versionstamp }).set(summaryKey(day), row);
    for (const group of divide(kv, storable, write)) {
      const tx = kv.atomic();
      for (const row of group) write(tx, row);
      await tx.commit();
    }
  }

  async function readClosed(from: number, until: number): Promise<FormDay[]> {
    const summaries = await readSummaries(from, until);
    const missing: number[] = [];
    for (let day = from; day < until; day++) if (!summaries.get(day)?.value.counts) missing.push(day);
    const found: FormDay[] = [];
    for (const [day, { value: { counts = [] } }] of summaries) {
      for (const { form, entries } of counts) found.push({ day, form, entries });
    }
    if (missing.length === 0) return found;
    const wanted = new Set(missing);
    const rows = (await readRows(missing[0]!, missing.at(-1)! + 1)).filter(({ day }) => wanted.has(day));
    const byDay = Map.groupBy(rows, ({ day }) => day);
    // Before the first count, there may be thousands of empty days.
    const firstCounted = rows[0]?.day ?? Infinity;
    await store(
      missing.filter((day) => day >= firstCounted).map((day) => [
        day,
        { v: 1, counts: (byDay.get(day) ?? []).map(({ form, entries }) => ({ form, entries })) },
        summaries.get(day)?.versionstamp ?? null,
      ]),
    ).catch((error) => log.warn("counters.summary_failed", { error }));
    return [...found, ...rows];
  }

  return {
    add: (tx, { day, form, entry, count }) => void tx.sum(keys.row(day, form, entry), BigInt(count)),
    keepCurrent(tx, day) {
      if (day < today()) tx.set(summaryKey(day), { v: 1 } satisfies SummaryRow);
    },
    async read(from, until) {
      // Yesterday is left open: its last counts are written today, and clocks of several processes may differ.
      const open = Math.max(from, Math.min(until, today() - 1));
      const rows = await readRows(open, until > today() ? until + DAYS_BETWEEN_ZONES : until);
      return [
        ...await readClosed(from, open),
        ...rows.map((row) => ({ ...row, day: Math.min(row.day, today()) })),
      ];
    },
  };
}
