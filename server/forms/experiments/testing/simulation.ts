import type { Proportion } from "../confidence_sequence.ts";
import { verdictsOf } from "../decision.ts";

/** A simulated experiment, which somebody looks at after every batch of visitors and ends when it is decided. */
export interface Scenario {
  /** True rate of each variant; the first one is the one that the others are compared with. */
  rates: readonly number[];
  /** Visitors of each variant between two looks, on average: each visitor draws one. */
  batches: readonly number[];
  looks: number;
}

export interface SimulationResult {
  /** Share of experiments with a verdict about any variant. */
  decided: number;
  /** Share of experiments with a verdict that is wrong: better without being better, or worse without being worse. */
  falseWinners: number;
  /** Visitors of all variants by which half of the experiments were decided; infinite if fewer were. */
  medianVisitors: number;
}

/**
 * Simulates an experiment many times. Each one ends with its first verdict.
 *
 * @param random returns a number from 0 (inclusive) to 1
 */
export function simulate(
  { rates, batches, looks }: Scenario,
  experiments: number,
  random: () => number,
): SimulationResult {
  let falseWinners = 0;
  const visitors: number[] = [];
  for (let run = 0; run < experiments; run++) {
    const counts = batches.map((weight): Proportion => ({ weight, seen: 0, successes: 0 }));
    for (let look = 0; look < looks; look++) {
      let left = batches.reduce((sum, each) => sum + each, 0);
      let weights = left;
      for (const [index, count] of counts.entries()) {
        const seen = weights === batches[index] ? left : binomial(left, batches[index]! / weights, random);
        left -= seen;
        weights -= batches[index]!;
        count.seen += seen;
        count.successes += binomial(seen, rates[index]!, random);
      }
      const verdicts = verdictsOf(counts);
      if (verdicts.every((verdict) => verdict === "open")) continue;
      visitors.push(counts.reduce((sum, { seen }) => sum + seen, 0));
      const isFalse = verdicts.some((verdict, index) => {
        const difference = rates[index + 1]! - rates[0]!;
        return (verdict === "better" && difference <= 0) || (verdict === "worse" && difference >= 0);
      });
      if (isFalse) falseWinners++;
      break;
    }
  }
  visitors.sort((a, b) => a - b);
  return {
    decided: visitors.length / experiments,
    falseWinners: falseWinners / experiments,
    medianVisitors: visitors[Math.floor(experiments / 2)] ?? Infinity,
  };
}

/** Returns how many of `trials` succeed, each with probability `rate`. Draws one number per success. */
function binomial(trials: number, rate: number, random: () => number): number {
  let successes = 0;
  // The number of failures before a success has a geometric distribution.
  const scale = Math.log1p(-rate);
  for (let at = 0;; at++) {
    at += Math.floor(Math.log1p(-random()) / scale);
    if (at >= trials) return successes;
    successes++;
  }
}

/** Standard normal quantiles of 97.5 % (an error of 5 % on two sides) and of 80 % (the power). */
const [ERROR, POWER] = [1.959964, 0.841621];

/**
 * Returns how many visitors a test of two rates needs that looks once, at its end: with an error of 5 % and a power of
 * 80 %, for two variants together. See Fleiss, Levin and Paik, "Statistical Methods for Rates and Proportions" (2003,
 * section 4.2, without the correction for continuity).
 */
function fixedSize(base: number, other: number): number {
  const middle = (base + other) / 2;
  const variance = (rate: number) => rate * (1 - rate);
  const deviations = ERROR * Math.sqrt(2 * variance(middle)) +
    POWER * Math.sqrt(variance(base) + variance(other));
  return 2 * Math.ceil((deviations / (other - base)) ** 2);
}

/** Looks within the visitors of a test of a fixed size. */
const LOOKS_PER_SIZE = 50;

/** Simulates experiments with two variants, until a multiple of the visitors that a test of a fixed size needs. */
export function simulateLift(
  [base, other]: readonly [number, number],
  experiments: number,
  random: () => number,
): SimulationResult & { fixed: number } {
  const fixed = fixedSize(base, other);
  const batch = Math.max(1, Math.round(fixed / 2 / LOOKS_PER_SIZE));
  const scenario = { rates: [base, other], batches: [batch, batch], looks: 10 * LOOKS_PER_SIZE };
  return { ...simulate(scenario, experiments, random), fixed };
}
