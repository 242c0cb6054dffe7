import type { FieldName } from "../../../shared/contract.ts";
import type { ConfirmedBy } from "../../../shared/outcomes.ts";
import type { TokenFault } from "../keys/form_token.ts";
import type { Clock, Log, Random } from "../deps.ts";
import { keys } from "../kv/keys.ts";
import type { Kv, KvU64 } from "../kv/port.ts";
import type { Policy } from "../limits/policies.ts";
import { createDayCounts, DAY_MS, type DayCountKeys, type FormDay } from "./day_counts.ts";
import { createFlushOnce } from "./flush_once.ts";
import { type DayOf, utcDay } from "./days.ts";

export { DAY_MS, type FormDay };

/** The result of a request to `subscribe`. Every request has exactly one (decision 17). */
export type CounterEntry =
  | "accepted"
  | `invalid.${"too_large" | "not_json" | "source" | "form" | "fields"}`
  | `rate_limited.${Policy["name"]}`
  | `dropped.${"honeypot" | "filter" | "origin" | "challenge" | TokenFault}`
  | `rejected.${"not_configured" | "error"}`;

/** Events that are counted separately from requests. */
export type Note =
  | "cfg_unverified"
  /** A signup was accepted although the site's limit was full, because one network had filled it. */
  | "beyond_site_limit"
  /** A signup with a solved challenge was accepted. */
  | "challenge_solved"
  /** A form without JavaScript was shown again, because it had not been open for long enough in attack mode. */
  | "challenge_again"
  /** A signup with a disposable address was accepted, or refused for it if that is set. */
  | "disposable"
  /** A cart, or its email address, was sent by another site's page and dropped. */
  | "cart_foreign"
  /** A field of a request that was counted as `invalid.fields`. */
  | `invalid.${FieldName | "other"}`
  /** A form became visible and fetched a token. */
  | "seen"
  /** A signup became active, by how we found out. */
  | `confirmed.${ConfirmedBy}`;

export interface Counters {
  /** Counts one request, in `requests` and under its result at once, so that the counters always add up. */
  count(form: string, entry: CounterEntry): void;
  /**
   * Counts a separate event.
   *
   * @param form name of the form, or the source; `-` for none
   */
  note(what: Note, form?: string): void;
  /**
   * Writes the counts since the last flush, those of a form and an hour atomically. Keeps them for the next flush if the
   * write fails.
   */
  flush(): Promise<void>;
  /**
   * Returns totals by entry since `sinceHour` (hours since 1970), including counts not written yet.
   *
   * @param includes which forms to count; all of them by default
   */
  totals(sinceHour?: number, includes?: (form: string) => boolean): Promise<Record<string, number>>;
  /**
   * Returns the counts by day and form, including counts not written yet. Reads one row per day, and for the last two
   * days one per form and entry, however much was counted. A form may occur several times on a day; add up its counts.
   *
   * @param from first day, in days since 1970. Days are those of the site's time zone; an hour that its midnight divides
   * counts for the day on which it began
   * @param until the day after the last
   */
  days(from: number, until: number): Promise<FormDay[]>;
}

const HOUR_MS = 60 * 60 * 1000;

const DAY_KEYS: DayCountKeys = {
  row: keys.countersDay,
  from: keys.countersDayFrom,
  summary: keys.countersSummary,
};

/** The counts of one form in one hour. Written in one commit, so that the stored counters always add up. */
interface HourCounts {
  hour: number;
  form: string;
  counts: Map<string, number>;
}

/**
 * Creates the counters.
 *
 * @param onCount called with every counted entry
 */
export function createCounters({ kv, clock, random, log, dayOf = utcDay, onCount = () => {} }: {
  kv: Kv;
  clock: Clock;
  random: Random;
  log: Log;
  dayOf?: DayOf;
  onCount?: (entry: CounterEntry) => void;
}): Counters {
  /** By hour and form. Contains no address and no IP. */
  let open = new Map<string, HourCounts>();
  const dayCounts = createDayCounts({ kv, clock, log, keys: DAY_KEYS, dayOf });

  function countsOf(hour: number, form: string): HourCounts {
    const id = `${hour} ${form}`;
    let found = open.get(id);
    if (!found) open.set(id, found = { hour, form, counts: new Map() });
    return found;
  }

  function add({ counts }: HourCounts, entry: string) {
    counts.set(entry, (counts.get(entry) ?? 0) + 1);
  }

  const thisHour = (form: string) => countsOf(Math.floor(clock.now() / HOUR_MS), form);

  const writer = createFlushOnce<HourCounts>({ kv, clock, random, log }, {
    name: "counters",
    write(tx, { hour, form, counts }) {
      const day = dayOf(hour * HOUR_MS);
      for (const [entry, count] of counts) {
        tx.sum(keys.counters(hour, form, entry), BigInt(count));
        dayCounts.add(tx, { day, form, entry, count });
      }
      dayCounts.keepCurrent(tx, day);
    },
  });

  const flush = () =>
    writer.flush(() => {
      const hours = [...open.values()];
      open = new Map();
      return hours;
    });

  const unwritten = () => [...writer.unwritten(), ...open.values()];

  async function totals(sinceHour = 0, includes = (_form: string) => true) {
    const sums: Record<string, number> = {};
    const sum = (entry: string, count: number) => sums[entry] = (sums[entry] ?? 0) + count;
    for await (
      const { key, value } of kv.list<KvU64>({
        start: keys.countersFrom(sinceHour),
        end: keys.countersEnd(),
      })
    ) {
      if (includes(String(key.at(-2)))) sum(String(key.at(-1)), Number(value.value));
    }
    for (const { hour, form, counts } of unwritten()) {
      if (hour >= sinceHour && includes(form)) { for (const [entry, count] of counts) sum(entry, count); }
    }
    return sums;
  }

  async function days(from: number, until: number) {
    const found = await dayCounts.read(from, until);
    for (const { hour, form, counts } of unwritten()) {
      const day = dayOf(hour * HOUR_MS);
      if (day >= from && day < until) found.push({ day, form, entries: Object.fromEntries(counts) });
    }
    return found;
  }

  return {
    count(form, entry) {
      const counted = thisHour(form);
      add(counted, "requests");
      add(counted, entry);
      onCount(entry);
    },
    note(what, form = "-") {
      add(thisHour(form), `note.${what}`);
    },
    flush,
    totals: (sinceHour, includes) => writer.read(() => totals(sinceHour, includes)),
    days: (from, until) => writer.read(() => days(from, until)),
  };
}
