import { isoDay } from "../../platform/observe/funnel.ts";
import { siteDay } from "../../settings/schema/time_zone.ts";
import type { Experiment } from "../../settings/schema/experiment_schema.ts";
import { formNames, POPUP } from "../../settings/forms/all_forms.ts";
import type { Settings } from "../../settings/schema/schema.ts";
import { type Comparison, type Interval, rateOf } from "./confidence_sequence.ts";
import type { ExperimentCounts, VariantCounts } from "./counts.ts";
import { resultTexts } from "./decision_text.ts";
import { forecastOf } from "./forecast.ts";
import { type ExperimentResults, experimentResults } from "./results.ts";
import { experimentOf } from "./running.ts";
import { hasWrongRatio } from "./sample_ratio.ts";

/** What scripts and the command line learn about an experiment. Names and places of the members stay. */
export interface ExperimentReport {
  /** Name of the form; absent for the popup. */
  form?: string;
  state: Experiment["state"];
  /** Unix milliseconds. */
  startedAt?: number;
  stoppedAt?: number;
  /** What it has shown, in a few sentences. A draft has none. */
  result?: string;
  /** ID of the variant to keep, once the experiment is decided. */
  winner?: string;
  /** ID of the variant that became the form. */
  kept?: string;
  /** How many more visitors a decision needs at the rates so far, and how many days those take. Absent if unknown. */
  visitorsNeeded?: number;
  daysNeeded?: number;
  /** Whether variants were seen in another proportion than that of their weights, so that nothing else can be trusted. */
  wrongProportion?: true;
  variants: VariantReport[];
}

interface ReportedCounts {
  /** Sessions. */
  seen: number;
  signups: number;
  confirmed: number;
  ordered: number;
}

export interface VariantReport extends ReportedCounts {
  id: string;
  name: string;
  weight: number;
  /** Whether it shows no form. */
  hidden?: true;
  /** Confirmed signups per session that saw it, from 0 to 1. Absent as long as nobody has. */
  rate?: number;
  /** Its rate minus that of the first variant. */
  difference?: Interval;
  /** Its rate divided by that of the first variant. Without `estimate` and `to` if they are infinite. */
  ratio?: Pick<Interval, "from"> & Partial<Interval>;
}

/** The counts of one day, in the site's time zone. */
export interface ReportedDay {
  /** Such as `2026-01-31`. */
  day: string;
  /** In the order of the experiment. */
  variants: ({ id: string } & ReportedCounts)[];
}

interface Deps {
  settings: { current(): Settings };
  clock: { now(): number };
  experimentCounts: Pick<ExperimentCounts, "days">;
}

/** An experiment with its counts by day. */
export interface DetailedReport {
  report: ExperimentReport;
  days: ReportedDay[];
}

/** Reports on the experiments of all forms and of the popup. */
export async function experimentReports(app: Deps): Promise<ExperimentReport[]> {
  const names = formNames(app.settings.current());
  const reports = await Promise.all(names.map((name) => experimentReport(app, name)));
  return reports.flatMap((found) => found ? [found.report] : []);
}

/** Reports on the experiment of a form by its name among all forms; undefined if it has none. */
export async function experimentReport(
  { settings, clock, experimentCounts }: Deps,
  name: string,
): Promise<DetailedReport | undefined> {
  const current = settings.current();
  const experiment = experimentOf(current, { name });
  if (!experiment) return undefined;
  const dayOf = (at: number) => siteDay(current, at);
  const results = await experimentResults(experimentCounts, experiment, clock.now(), dayOf);
  return { report: reportOf(name, experiment, results), days: daysOf(experiment, results) };
}

function reportOf(form: string, experiment: Experiment, results: ExperimentResults): ExperimentReport {
  const { state, startedAt, stoppedAt, kept } = experiment;
  const { totals, decision: { winner, comparisons } } = results;
  const wrong = hasWrongRatio(totals.map(({ variant: { weight }, seen }) => ({ weight, seen })));
  return {
    ...(form !== POPUP && { form }),
    state,
    ...(startedAt !== undefined && { startedAt }),
    ...(stoppedAt !== undefined && { stoppedAt }),
    ...(state !== "draft" && {
      result: Object.values(resultTexts(results, experiment)).join(" "),
    }),
    ...(winner !== undefined && { winner: totals[winner]!.variant.id }),
    ...(kept !== undefined && { kept }),
    ...(state === "running" && neededFor(results)),
    ...(wrong && { wrongProportion: true }),
    variants: totals.map(({ variant: { id, name, weight, hidden }, ...counts }, index) => {
      const { seen, confirmed } = counts;
      const compared = index > 0 && seen > 0 && totals[0]!.seen > 0;
      return {
        ...{ id, name, weight },
        ...(hidden && { hidden }),
        ...reported(counts),
        ...(seen > 0 && { rate: rateOf({ seen, successes: confirmed }) }),
        ...(compared && comparedAs(comparisons[index - 1]!)),
      };
    }),
  };
}

function neededFor(results: ExperimentResults): Pick<ExperimentReport, "visitorsNeeded" | "daysNeeded"> {
  const { visitors = Infinity, days } = forecastOf(results) ?? {};
  if (visitors === Infinity) return {};
  return { visitorsNeeded: Math.ceil(visitors), ...(days !== undefined && { daysNeeded: Math.ceil(days) }) };
}

function comparedAs({ difference, ratio }: Comparison): Pick<VariantReport, "difference" | "ratio"> {
  const { estimate, from, to } = ratio;
  return {
    difference,
    ratio: { from, ...(estimate !== Infinity && { estimate }), ...(to !== Infinity && { to }) },
  };
}

/** Returns the counts of a started experiment by day; those of a draft are empty. */
function daysOf({ state, variants }: Experiment, { days }: ExperimentResults): ReportedDay[] {
  if (state === "draft") return [];
  return days.map(({ day, counts }) => ({
    day: isoDay(day),
    variants: counts.map((each, index) => ({ id: variants[index]!.id, ...reported(each) })),
  }));
}

function reported({ seen, accepted, confirmed, ordered }: VariantCounts): ReportedCounts {
  return { seen, signups: accepted, confirmed, ordered };
}
