import type { SignupPage } from "../../../shared/signup_page.ts";
import { networkOf } from "../../platform/http/visitor/network.ts";
import { keys } from "../../platform/kv/keys.ts";
import { createBufferedDayCounts } from "../../platform/observe/buffered_day_counts.ts";
import type { FormDay } from "../../platform/observe/day_counts.ts";
import { createOwnValues } from "./own_values.ts";

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

/** Stands for all values of a day that have no count of their own. */
export const OTHER = "*other";
/** A value is known if it was counted in so many days before today. */
const KNOWN_DAYS = 30;

/** Signups and confirmations by the page that showed the form. */
export interface PageCounts {
  /** @param ip of the visitor who sent the page; none if it is not known, or comes from a record */
  count(form: string, page: SignupPage, step: Step, ip?: string | null): void;
  /** Writes the counts since the last flush. Keeps those that could not be written. */
  flush(): Promise<void>;
  /** Forgets which values are known: they are those of the database before a restore. The next flush reads them again. */
  forget(): void;
  /** Returns the totals from one day to another (exclusive), in days since 1970, with the counts not written yet. */
  totals(from: number, until: number): Promise<PageTotal[]>;
}

/** Creates the counts. A count contains no address and no IP. */
export function createPageCounts(deps: Parameters<typeof createBufferedDayCounts>[0]): PageCounts {
  const counts = createBufferedDayCounts(deps, {
    name: "page_counts",
    keys: { row: keys.pageCounts, from: keys.pageCountsFrom, summary: keys.pageCountsSummary },
  });
  const own = { path: createOwnValues(), campaign: createOwnValues(), referrer: createOwnValues() };
  /** The day of `own`, and whether the values of the days before are known. */
  let current = { day: 0, isLearned: false };

  function beginDay(): void {
    const day = counts.today();
    if (current.day === day) return;
    current = { day, isLearned: false };
    for (const dimension of DIMENSIONS) own[dimension].beginDay();
  }

  /** Learns the values of earlier days, once a day on which something is counted. */
  async function learn(): Promise<void> {
    const { day, isLearned } = current;
    if (day === 0 || isLearned) return;
    try {
      const days = await counts.read(day - KNOWN_DAYS, day + 1);
      if (current.day !== day) return;
      const [today, earlier] = [true, false].map((isToday) =>
        totalsOf(days.filter((each) => (each.day === day) === isToday)).filter(({ value }) => value !== OTHER)
      );
      for (const dimension of DIMENSIONS) {
        const valuesOf = (totals: PageTotal[]) => totals.filter((total) => total.dimension === dimension);
        own[dimension].learn(valuesOf(earlier!), valuesOf(today!).map(({ value }) => value));
      }
      current.isLearned = true;
    } catch (error) {
      deps.log.warn("page_counts.read_failed", { error });
    }
  }

  return {
    count(form, page, step, ip) {
      beginDay();
      const network = ip ? networkOf(ip) : undefined;
      for (const dimension of DIMENSIONS) {
        const value = valueOf(page, dimension);
        if (value === undefined) continue;
        const counted = own[dimension].has(value, network) ? value : OTHER;
        counts.count(groupOf(form, dimension, counted), step);
      }
    },
    async flush() {
      await learn();

      await counts.flush();
    },
    forget: () => void (current = { day: 0, isLearned: false }),
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
