import { type DayOf, utcDay } from "../observe/site_days.ts";
import type { Experiment, Variant } from "../settings/experiment_schema.ts";
import type { Interval, Proportion } from "./confidence_sequence.ts";
import type { ExperimentCounts, VariantCounts, VariantDay } from "./counts.ts";
import { decide, type Decision } from "./decision.ts";
import { variantName } from "./running.ts";

/** What an experiment has shown so far. Lists of variants are in the order of the experiment. */
export interface ExperimentResults {
  /** The counts of each variant since the start. */
  totals: (VariantCounts & { variant: Variant })[];
  decision: Decision;
  /** The intervals at the end of each day since the start: of each variant but the first. */
  days: { day: number; differences: Interval[] }[];
}

/** Reads the counts of an experiment that was started. */
export async function experimentResults(
  counts: Pick<ExperimentCounts, "days">,
  experiment: Experiment,
  now: number,
  dayOf: DayOf = utcDay,
): Promise<ExperimentResults> {
  const from = dayOf(experiment.startedAt ?? now);
  const until = dayOf(now) + 1;
  return resultsOf(experiment, await counts.days(experiment.id, from, until), from, until);
}

/**
 * Returns the results of an experiment. Its success is a confirmed signup.
 *
 * @param from day of the start, in days since 1970
 * @param until the day after the last
 */
function resultsOf(
  experiment: Experiment,
  counts: readonly VariantDay[],
  from: number,
  until: number,
): ExperimentResults {
  const totals = experiment.variants.map((variant) => ({
    ...{ variant, seen: 0, accepted: 0, confirmed: 0, ordered: 0 },
  }));
  const byDay = Map.groupBy(counts, ({ day }) => day);
  const looks: Proportion[][] = [];
  const days: ExperimentResults["days"] = [];
  for (let day = from; day < until; day++) {
    for (const each of byDay.get(day) ?? []) {
      const total = totals.find(({ variant }) => variantName(experiment, variant) === each.variant);
      if (!total) continue;
      for (const step of ["seen", "accepted", "confirmed", "ordered"] as const) total[step] += each[step];
    }
    looks.push(totals.map(({ seen, confirmed }) => ({ seen, successes: confirmed })));
    const { comparisons } = decide(looks.slice(-1));
    days.push({ day, differences: comparisons.map(({ difference }) => difference) });
  }
  return { totals, decision: decide(looks), days };
}
