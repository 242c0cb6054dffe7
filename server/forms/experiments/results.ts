import { DAYS_BETWEEN_ZONES } from "../../platform/observe/day_counts.ts";
import { type DayOf, utcDay } from "../../platform/observe/days.ts";
import type { Experiment, Variant } from "../../settings/schema/experiment_schema.ts";
import type { Proportion } from "./confidence_sequence.ts";
import type { ExperimentCounts, VariantCounts, VariantDay } from "./counts.ts";
import { decide, type Decision } from "./decision.ts";
import { variantName } from "./running.ts";

/** What an experiment has shown so far. Lists of variants are in the order of the experiment. */
export interface ExperimentResults {
  /** The counts of each variant since the start. */
  totals: (VariantCounts & { variant: Variant })[];
  decision: Decision;
  /** Each day since the start. After the end, up to the last one with a count. */
  days: ExperimentDay[];
}

export interface ExperimentDay {
  /** Days since 1970, in the site's time zone. */
  day: number;
  /** What happened on this day, for each variant. */
  counts: VariantCounts[];
  /** What had happened since the start by its end, for each variant. */
  sums: Proportion[];
}

/** Reads the counts of an experiment that was started. */
export async function experimentResults(
  { days }: Pick<ExperimentCounts, "days">,
  experiment: Experiment,
  now: number,
  dayOf: DayOf = utcDay,
): Promise<ExperimentResults> {
  const from = dayOf(experiment.startedAt ?? now);
  // The site's time zone may have been changed since, so that the first counts are those of an earlier day.
  const counts = (await days(experiment.id, from - DAYS_BETWEEN_ZONES, dayOf(now) + 1))
    .map((counted) => ({ ...counted, day: Math.max(counted.day, from) }));
  const { stoppedAt } = experiment;
  const last = stoppedAt === undefined
    ? dayOf(now)
    : Math.max(dayOf(stoppedAt), ...counts.map(({ day }) => day));
  return resultsOf(experiment, counts, from, last);
}

const STEPS = ["seen", "accepted", "confirmed", "ordered"] as const;
const none = (): VariantCounts => ({ seen: 0, accepted: 0, confirmed: 0, ordered: 0 });

/**
 * Returns the results of an experiment. Its success is a confirmed signup.
 *
 * @param from day of the start, in days since 1970
 * @param last the last day
 */
function resultsOf(
  experiment: Experiment,
  counts: readonly VariantDay[],
  from: number,
  last: number,
): ExperimentResults {
  const totals = experiment.variants.map((variant) => ({ variant, ...none() }));
  const byDay = Map.groupBy(counts, ({ day }) => day);
  const days: ExperimentDay[] = [];
  for (let day = from; day <= last; day++) {
    const ofDay = experiment.variants.map((variant) => {
      const rows = byDay.get(day)?.filter((each) => each.variant === variantName(experiment, variant)) ?? [];
      return rows.reduce(sumOf, none());
    });
    for (const [index, total] of totals.entries()) Object.assign(total, sumOf(total, ofDay[index]!));
    const sums = totals.map(({ variant: { weight }, seen, confirmed }) => ({
      ...{ weight, seen },
      successes: confirmed,
    }));
    days.push({ day, counts: ofDay, sums });
  }
  return { totals, decision: decide(days.map(({ sums }) => sums)), days };
}

function sumOf(some: VariantCounts, others: VariantCounts): VariantCounts {
  const sum = none();
  for (const step of STEPS) sum[step] = some[step] + others[step];
  return sum;
}
