import { counted } from "../../platform/words/counted.ts";
import { type Interval, rateOf } from "./confidence_sequence.ts";
import { ALPHA } from "./decision.ts";
import { type Forecast, forecastOf } from "./forecast.ts";
import type { Experiment } from "../../settings/schema/experiment_schema.ts";
import type { ExperimentResults } from "./results.ts";

const POINTS = new Intl.NumberFormat("en", { maximumFractionDigits: 2 });

/** Returns a difference of rates in percentage points, such as `+1.2` or `−0.4`. */
export function pointsText(difference: number): string {
  const points = POINTS.format(Math.abs(difference * 100));
  if (points === "0") return "0";
  return `${difference < 0 ? "−" : "+"}${points}`;
}

const [ROUNDED, EXACT] = [2, 3].map((digits) =>
  new Intl.NumberFormat("en", { maximumSignificantDigits: digits })
) as [Intl.NumberFormat, Intl.NumberFormat];

/** Returns a ratio of rates with two digits, or three if it is near 1, so that it is still seen on which side. */
const ratioText = (ratio: number) => (Math.abs(ratio - 1) < 0.1 ? EXACT : ROUNDED).format(ratio);

/** Returns a range of ratios, such as `1.8 to 3.9 times`; undefined if it has no end. */
export function timesText({ from, to }: Omit<Interval, "estimate">): string | undefined {
  if (to === Infinity) return from === 0 ? undefined : `at least ${ratioText(from)} times`;
  if (from === 0) return `at most ${ratioText(to)} times`;
  return `${ratioText(from)} to ${ratioText(to)} times`;
}

const LUCK = `with at most a ${ALPHA * 100}% chance that this is luck`;

/** What an experiment has shown so far, in plain words. Each member is a sentence or two. */
export interface ResultTexts {
  /** How many confirmed signups a variant brings compared with the first one. Absent while there are too few. */
  estimate?: string;
  /** Whether it is decided, and for which variant. */
  decision: string;
  /** What a decision still takes. Absent once it is decided or has ended. */
  outlook?: string;
}

export function resultTexts(
  results: ExperimentResults,
  { state, kept }: Pick<Experiment, "state" | "kept">,
): ResultTexts {
  const ended = state === "stopped";
  const { totals, decision: { comparisons, winner } } = results;
  const names = totals.map(({ variant }) => `“${variant.name}”`);
  const base = names[0]!;
  const estimate = estimateText(results, names);
  const first = estimate === undefined ? {} : { estimate };
  if (winner !== undefined) {
    const against = winner === 0 && names.length > 2 ? " against every other variant" : "";
    return { ...first, decision: `Decided: ${names[winner]} wins${against}, ${LUCK}.` };
  }
  const open = ended ? "Not decided" : "Not decided yet";
  if (totals.every(({ seen }) => seen === 0)) {
    return {
      decision: ended
        ? `${open}: no visitor saw the form.`
        : `${open}: no visitor has seen the form since the start.`,
    };
  }
  if (totals.every(({ confirmed }) => confirmed === 0)) {
    return { decision: `${open}: no signup ${ended ? "was" : "is"} confirmed.` };
  }
  const worse = comparisons.flatMap(({ verdict }, index) => verdict === "worse" ? [names[index + 1]] : []);
  const known = worse.length > 0 ? ` ${worse.join(" and ")} gets fewer than ${base}, ${LUCK}.` : "";
  const decision = `${open}: the difference could still be luck.${known}`;
  if (!ended) return { ...first, decision, outlook: outlookText(forecastOf(results)) };
  const next = kept === undefined ? ` Start it again for more visitors, or keep ${base}.` : "";
  return { ...first, decision: `${decision}${next}` };
}

/** Returns the interval and the estimate of the winner or, without one, of the best other variant. */
function estimateText(
  { totals, decision: { comparisons, winner } }: ExperimentResults,
  names: readonly string[],
): string | undefined {
  const rates = totals.slice(1).map(({ seen, confirmed }) => rateOf({ seen, successes: confirmed }));
  const shown = winner || rates.indexOf(Math.max(...rates)) + 1;
  const { ratio } = comparisons[shown - 1]!;
  const times = timesText(ratio);
  if (times === undefined) return undefined;
  const best = ratio.estimate === Infinity ? "" : ` (best estimate: ${ratioText(ratio.estimate)} times)`;
  return `${names[shown]} brings ${times} as many confirmed signups per view as ${names[0]}${best}.`;
}

const YEAR_DAYS = 365;

function outlookText(forecast: Forecast | undefined): string {
  if (!forecast) return "Too few signups are confirmed to say how long a decision takes.";
  const { visitors, days } = forecast;
  if (visitors === Infinity) return "The rates are so close that no decision is in sight.";
  const more = counted(Number(visitors.toPrecision(2)), "more visitor");
  const needs = `At these rates, a decision needs about ${more}`;
  if (days === undefined) return `${needs}.`;
  return days > YEAR_DAYS
    ? `${needs}: more than a year.`
    : `${needs}: about ${counted(Math.ceil(days), "day")} with as many visitors as lately.`;
}
