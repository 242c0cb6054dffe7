import { type Proportion, rateOf } from "./confidence_sequence.ts";
import { type Verdict, verdictsOf } from "./decision.ts";
import type { ExperimentResults } from "./results.ts";

/** What a decision still takes if the rates stay as they are. */
export interface Forecast {
  /** Visitors of all variants from now on; infinite if the rates are too much alike. */
  visitors: number;
  /** Absent if nobody came on the days before today. */
  days?: number;
}

/** With fewer, the rates say too little to look ahead. */
const MIN_SUCCESSES = 10;
/** A decision that takes this many times as many visitors as have come is none that anybody waits for. */
const MOST_TIMES = 1_000;
/** Halves the range of a factor of `MOST_TIMES` to 1 %. */
const STEPS = 10;

/** Returns how many times as many visitors decide an experiment, with the same rates; infinite if hardly any do. */
export function timesToDecision(look: readonly Proportion[]): number {
  const [first, ...others] = look.map(rateOf);
  const best = others.indexOf(Math.max(...others));
  const isDecided = others[best]! > first!
    ? (verdicts: Verdict[]) => verdicts[best] === "better"
    : (verdicts: Verdict[]) => verdicts.every((verdict) => verdict === "worse");
  const after = (times: number) =>
    isDecided(verdictsOf(look.map(({ weight, seen, successes }) => ({
      weight,
      seen: seen * times,
      successes: successes * times,
    }))));
  if (!after(MOST_TIMES)) return Infinity;
  let [from, to] = [1, MOST_TIMES];
  for (let step = 0; step < STEPS; step++) {
    const middle = Math.sqrt(from * to);
    if (after(middle)) to = middle;
    else from = middle;
  }
  return to;
}

/** Days before today whose visitors tell how many come a day. */
const RECENT_DAYS = 7;

/** Returns what an experiment that is running still takes; undefined if it is decided, or if nobody can know. */
export function forecastOf({ totals, days, decision }: ExperimentResults): Forecast | undefined {
  const sums = days.at(-1)!.sums;
  const successes = sums.reduce((sum, each) => sum + each.successes, 0);
  if (decision.winner !== undefined || successes < MIN_SUCCESSES) return undefined;
  const seen = totals.reduce((sum, each) => sum + each.seen, 0);
  const visitors = seen * (timesToDecision(sums) - 1);
  const recent = days.slice(-RECENT_DAYS - 1, -1);
  const came = recent.flatMap(({ counts }) => counts).reduce((sum, each) => sum + each.seen, 0);
  return { visitors, ...(came > 0 && { days: visitors / (came / recent.length) }) };
}
