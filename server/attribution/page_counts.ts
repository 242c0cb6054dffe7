import type { SignupPage } from "../../shared/signup_page.ts";
import { keys } from "../kv/keys.ts";
import { createBufferedDayCounts } from "../observe/buffered_day_counts.ts";
import type { FormDay } from "../observe/day_counts.ts";

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

/** Signups and confirmations by the page that showed the form. */
export interface PageCounts {
  count(form: string, page: SignupPage, step: Step): void;
  /** Writes the counts since the last flush. Keeps those that could not be written. */
  flush(): Promise<void>;
  /** Returns the totals from one day to another (exclusive), in days since 1970, with the counts not written yet. */
  totals(from: number, until: number): Promise<PageTotal[]>;
}

/** Creates the counts. A count contains no address and no IP. */
export function createPageCounts(deps: Parameters<typeof createBufferedDayCounts>[0]): PageCounts {
  const counts = createBufferedDayCounts(deps, {
    name: "page_counts",
    keys: { row: keys.pageCounts, from: keys.pageCountsFrom, summary: keys.pageCountsSummary },
  });
  let known = { day: 0, values: new Map<Dimension, Set<string>>() };

  function bounded(dimension: Dimension, value: string): string {
    const day = counts.today();
    if (known.day !== day) known = { day, values: new Map() };
    let values = known.values.get(dimension);
    if (!values) known.values.set(dimension, values = new Set());
    if (values.size >= VALUES_PER_DAY && !values.has(value)) return OTHER;
    values.add(value);
    return value;
  }

  return {
    count(form, page, step) {
      for (const dimension of DIMENSIONS) {
        const value = valueOf(page, dimension);
        if (value !== undefined) counts.count(groupOf(form, dimension, bounded(dimension, value)), step);
      }
    },
    flush: counts.flush,
    totals: async (from, until) => totalsOf(await counts.read(from, until)),
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
function totalsOf(days: readonly FormDay[]): PageTotal[] {
  const totals = new Map<string, PageTotal>();
  for (const { form: group, entries } of days) {
    let total = totals.get(group);
    if (!total) totals.set(group, total = { ...parseGroup(group), signups: 0, confirmed: 0 });
    for (const entry in entries) total[entry as Step] += entries[entry]!;
  }
  return [...totals.values()];
}

function parseGroup(group: string): Pick<PageTotal, "form" | "dimension" | "value"> {
  const [form = "", dimension] = group.split(" ", 2);
  const value = group.slice(`${form} ${dimension} `.length);
  return { form, dimension: dimension as Dimension, value };
}
