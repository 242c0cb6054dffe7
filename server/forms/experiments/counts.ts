import type { AtomicOperation } from "../../platform/kv/port.ts";
import { createBufferedDayCounts } from "../../platform/observe/buffered_day_counts.ts";
import type { FormDay } from "../../platform/observe/day_counts.ts";
import { keys } from "../../platform/kv/keys.ts";
import type { VariantName } from "./running.ts";

/** What is counted per variant: sessions that saw it, and what their visitors did. */
export type ExperimentStep = "seen" | "accepted" | "confirmed" | "ordered";
export type VariantCounts = Record<ExperimentStep, number>;

/** The counts of one day. */
export interface VariantDay extends VariantCounts {
  /** Days since 1970, in the site's time zone. */
  day: number;
  variant: VariantName;
}

/** Counts of the variants of experiments, by day. They contain no address and no IP. */
export interface ExperimentCounts {
  /** Counts without waiting for the database. The count is written with the next flush. */
  count(variant: VariantName, step: "seen" | "accepted"): void;
  /** Lets the commit that changes a record count it too, so that it is counted exactly once. */
  add(tx: AtomicOperation, variant: VariantName, step: "confirmed" | "ordered"): void;
  /** Writes the counts since the last flush. Keeps those that could not be written. */
  flush(): Promise<void>;
  /**
   * Returns the counts of an experiment from one day to another (exclusive), in days since 1970, with those that are not
   * written yet. A variant may occur several times on a day; add up its counts.
   */
  days(experiment: string, from: number, until: number): Promise<VariantDay[]>;
}

export function createExperimentCounts(
  deps: Parameters<typeof createBufferedDayCounts>[0],
): ExperimentCounts {
  const counts = createBufferedDayCounts(deps, {
    name: "experiment_counts",
    keys: {
      row: keys.experimentCounts,
      from: keys.experimentCountsFrom,
      summary: keys.experimentCountsSummary,
    },
  });
  return {
    count: counts.count,
    add: counts.add,
    flush: counts.flush,
    async days(experiment, from, until) {
      const all = await counts.read(from, until);
      return all.filter(({ form }) => form.startsWith(`${experiment}/`)).map(toVariantDay);
    },
  };
}

function toVariantDay({ day, form, entries }: FormDay): VariantDay {
  const { seen = 0, accepted = 0, confirmed = 0, ordered = 0 } = entries;
  return { day, variant: form as VariantName, seen, accepted, confirmed, ordered };
}
