import { type DayOf, utcDay } from "../observe/site_days.ts";
import type { SignupPage } from "../../shared/signup_page.ts";
import type { Clock, Log } from "../deps.ts";
import { Chains } from "../kv/chains.ts";
import { keys } from "../kv/keys.ts";
import { createDayCounts, type DayCount, type DayCountKeys, type FormDay } from "../observe/day_counts.ts";

/** What signups are counted by: the path of the page, its campaign, or the site that linked to it. */
export const DIMENSIONS = ["path", "campaign", "referrer"] as const;
export type Dimension = (typeof DIMENSIONS)[number];

/** The steps that are counted. */
export type Step = "signups" | "confirmed";

/** The signups and confirmations of one form under one value of a dimension. */
export interface PageTotal {
  /** Name of the form, or the source. */
  form: string;
  dimension: Dimension;
  /** `OTHER` for values beyond the limit. For a campaign, see `campaignOf`. */
  value: string;
  signups: number;
  confirmed: number;
}

/** Stands for all values of a day beyond `VALUES_PER_DAY`, because visitors can send any path. */
export const OTHER = "*other";
const VALUES_PER_DAY = 300;
const COUNTS_PER_COMMIT = 800;
const KEYS: DayCountKeys = {
  row: keys.pageCounts,
  from: keys.pageCountsFrom,
  summary: keys.pageCountsSummary,
};

/** Signups and confirmations by the page that showed the form. */
export interface PageCounts {
  count(form: string, page: SignupPage, step: Step): void;
  /** Writes the counts since the last flush. Keeps those that could not be written. */
  flush(): Promise<void>;
  /** Returns the totals from one day to another (exclusive), in days since 1970, with the counts not written yet. */
  totals(from: number, until: number): Promise<PageTotal[]>;
}

/** Creates the counts. A count contains no address and no IP. */
export function createPageCounts(
  { kv, clock, log, dayOf = utcDay }: { kv: Deno.Kv; clock: Clock; log: Log; dayOf?: DayOf },
): PageCounts {
  const rows = createDayCounts({ kv, clock, log, keys: KEYS, dayOf });
  let open = new Map<string, DayCount>();
  let known = { day: 0, values: new Map<Dimension, Set<string>>() };
  /** While counts are being written, nobody can know whether the database has them already. So reads wait. */
  const chains = new Chains();
  const inTurn = <T>(work: () => Promise<T>) => chains.run(["page_counts"], work);

  function bounded(day: number, dimension: Dimension, value: string): string {
    if (known.day !== day) known = { day, values: new Map() };
    let values = known.values.get(dimension);
    if (!values) known.values.set(dimension, values = new Set());
    if (values.size >= VALUES_PER_DAY && !values.has(value)) return OTHER;
    values.add(value);
    return value;
  }

  function add(counted: DayCount): void {
    const id = `${counted.day} ${counted.entry} ${counted.form}`;
    const found = open.get(id);
    if (found) found.count += counted.count;
    else open.set(id, { ...counted });
  }

  async function write(batch: readonly DayCount[]): Promise<void> {
    const tx = kv.atomic();
    for (const each of batch) rows.add(tx, each);
    for (const day of new Set(batch.map(({ day }) => day))) rows.keepCurrent(tx, day);
    await tx.commit();
  }

  return {
    count(form, page, step) {
      const day = dayOf(clock.now());
      for (const dimension of DIMENSIONS) {
        const value = valueOf(page, dimension);
        if (value === undefined) continue;
        const group = groupOf(form, dimension, bounded(day, dimension, value));
        add({ day, form: group, entry: step, count: 1 });
      }
    },
    flush: () =>
      inTurn(async () => {
        const counts = [...open.values()];
        open = new Map();
        while (counts.length > 0) {
          const batch = counts.splice(0, COUNTS_PER_COMMIT);
          try {
            await write(batch);
          } catch (error) {
            log.error("page_counts.flush_failed", { error });
            for (const each of [...batch, ...counts.splice(0)]) add(each);
          }
        }
      }),
    totals: (from, until) =>
      inTurn(async () => {
        const unwritten = [...open.values()].filter(({ day }) => day >= from && day < until);
        return totalsOf(await rows.read(from, until), unwritten);
      }),
  };
}

/** Returns what a page is counted under, or undefined if it has no such value. */
function valueOf(page: SignupPage, dimension: Dimension): string | undefined {
  if (dimension !== "campaign") return page[dimension];
  const { campaign, source, medium } = page.utm ?? {};
  return campaign || source || medium ? [campaign, source, medium].join("\t") : undefined;
}

/** The UTM parameters of a counted campaign. */
export interface Campaign {
  campaign: string;
  source: string;
  medium: string;
}

/** Returns the parts of a campaign's value. Missing ones are empty. */
export function campaignOf(value: string): Campaign {
  const [campaign = "", source = "", medium = ""] = value.split("\t");
  return { campaign, source, medium };
}

/** Form names and dimensions contain no space. */
const groupOf = (form: string, dimension: Dimension, value: string) => `${form} ${dimension} ${value}`;

/** Adds up the counts of all days. There are many days and few groups, so each group is parsed once. */
function totalsOf(written: readonly FormDay[], unwritten: readonly DayCount[]): PageTotal[] {
  const totals = new Map<string, PageTotal>();
  const add = (group: string, entry: string, count: number) => {
    let total = totals.get(group);
    if (!total) totals.set(group, total = { ...parseGroup(group), signups: 0, confirmed: 0 });
    total[entry as Step] += count;
  };
  for (const { form: group, entries } of written) {
    for (const entry in entries) add(group, entry, entries[entry]!);
  }
  for (const { form: group, entry, count } of unwritten) add(group, entry, count);
  return [...totals.values()];
}

function parseGroup(group: string): Pick<PageTotal, "form" | "dimension" | "value"> {
  const [form = "", dimension] = group.split(" ", 2);
  const value = group.slice(`${form} ${dimension} `.length);
  return { form, dimension: dimension as Dimension, value };
}
