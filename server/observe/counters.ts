import type { ConfirmedBy } from "../../shared/outcomes.ts";
import type { TokenFault } from "../keys/form_token.ts";
import type { Clock, Log } from "../deps.ts";
import { keys } from "../kv/keys.ts";
import type { Policy } from "../limits/policies.ts";

/** What may become of a request: one of these, for every request (decision 17). */
export type Entry =
  | "accepted"
  | `invalid.${"too_large" | "not_json" | "source" | "fields"}`
  | `rate_limited.${Policy["name"]}`
  | `dropped.${"honeypot" | "filter" | "origin" | TokenFault}`
  | `rejected.${"not_configured" | "error"}`;

/** What is counted beside the requests, and adds up to nothing. */
export type Note =
  | "cfg_unverified"
  /** A cart, or the address of one, came from a foreign page and was dropped. */
  | "cart_foreign"
  /** A form came into a visitor's view: it was handed a token. */
  | "seen"
  /** A signup became active, by what made us look. */
  | `confirmed.${ConfirmedBy}`;

/** How often something was counted on one day. */
export interface DayCount {
  /** Days since 1970, UTC. */
  day: number;
  form: string;
  /** An `Entry`, `requests`, or `note.` and a `Note`. */
  entry: string;
  count: number;
}

export interface Counters {
  /** Enter one request: into `requests` and under what became of it, in one step, so that they always balance. */
  count(form: string, entry: Entry): void;
  /** @param form by name, or the source; `-` for what is nobody's in particular */
  note(what: Note, form?: string): void;
  /** Write what was counted since the last time, in one atomic. A failed write is kept for the next. */
  flush(): Promise<void>;
  /** Totals by entry since `sinceHour` (hours since 1970), what is not yet written included. */
  totals(sinceHour?: number): Promise<Record<string, number>>;
  /**
   * What was counted by day, what is not yet written included. One range is read, whose rows are days, forms and
   * entries, however much was counted. Entries may be told in parts.
   *
   * @param from first day, and `until` the day behind the last; days since 1970, UTC
   */
  days(from: number, until: number): Promise<DayCount[]>;
}

const HOUR_MS = 60 * 60 * 1000;
export const DAY_MS = 24 * HOUR_MS;
const MUTATIONS_A_COMMIT = 900;
/** Of the hour and of the day. */
const ROWS_A_COUNT = 2;
const ROWS_A_READ = 500;

const dayOf = (hour: number) => Math.floor(hour * HOUR_MS / DAY_MS);

/** What was counted for one form in one hour. Written whole or not at all, so that what is written balances. */
interface Page {
  hour: number;
  form: string;
  counts: Map<string, number>;
}

/** @param entered is told of every entry, as it is made */
export function createCounters({ kv, clock, log, entered = () => {} }: {
  kv: Deno.Kv;
  clock: Clock;
  log: Log;
  entered?: (entry: Entry) => void;
}): Counters {
  /** By hour and form. No address, no IP: nothing here is about a person. */
  let open = new Map<string, Page>();

  function page(hour: number, form: string): Page {
    const id = `${hour} ${form}`;
    let found = open.get(id);
    if (!found) open.set(id, found = { hour, form, counts: new Map() });
    return found;
  }

  function add({ counts }: Page, entry: string, count = 1) {
    counts.set(entry, (counts.get(entry) ?? 0) + count);
  }

  const thisHour = (form: string) => page(Math.floor(clock.now() / HOUR_MS), form);

  async function write(pages: Page[]) {
    const tx = kv.atomic();
    for (const { hour, form, counts } of pages) {
      for (const [entry, count] of counts) {
        tx.sum(keys.counters(hour, form, entry), BigInt(count));
        tx.sum(keys.countersDay(dayOf(hour), form, entry), BigInt(count));
      }
    }
    await tx.commit();
  }

  return {
    count(form, entry) {
      const counted = thisHour(form);
      add(counted, "requests");
      add(counted, entry);
      entered(entry);
    },
    note(what, form = "-") {
      add(thisHour(form), `note.${what}`);
    },
    async flush() {
      const pages = [...open.values()];
      open = new Map();
      while (pages.length > 0) {
        let mutations = 0;
        const fits = pages.findIndex(({ counts }) =>
          (mutations += counts.size * ROWS_A_COUNT) > MUTATIONS_A_COMMIT
        );
        const batch = pages.splice(0, fits === -1 ? pages.length : Math.max(fits, 1));
        try {
          await write(batch);
        } catch (error) {
          log.error("counters.flush_failed", { error });
          for (const { hour, form, counts } of [...batch, ...pages.splice(0)]) {
            for (const [entry, count] of counts) add(page(hour, form), entry, count);
          }
        }
      }
    },
    async totals(sinceHour = 0) {
      const sums: Record<string, number> = {};
      const sum = (entry: string, count: number) => sums[entry] = (sums[entry] ?? 0) + count;
      for await (
        const { key, value } of kv.list<Deno.KvU64>({
          start: keys.countersFrom(sinceHour),
          end: keys.countersEnd(),
        })
      ) {
        sum(String(key.at(-1)), Number(value.value));
      }
      for (const { hour, counts } of open.values()) {
        if (hour >= sinceHour) { for (const [entry, count] of counts) sum(entry, count); }
      }
      return sums;
    },
    async days(from, until) {
      const range = { start: keys.countersDayFrom(from), end: keys.countersDayFrom(until) };
      const found: DayCount[] = [];
      for await (const { key, value } of kv.list<Deno.KvU64>(range, { batchSize: ROWS_A_READ })) {
        const [day, form, entry] = key.slice(-3) as [number, string, string];
        found.push({ day, form, entry, count: Number(value.value) });
      }
      for (const { hour, form, counts } of open.values()) {
        const day = dayOf(hour);
        if (day < from || day >= until) continue;
        for (const [entry, count] of counts) found.push({ day, form, entry, count });
      }
      return found;
    },
  };
}
