import type { Proportion } from "../confidence_sequence.ts";
import type { Decision } from "../decision.ts";

/** A simulated experiment, which somebody looks at after every batch of visitors and ends when it is decided. */
export interface Scenario {
  /** True rate of each variant; the first one is the one that the others are compared with. */
  rates: readonly number[];
  /** Visitors of each variant between two looks. */
  batches: readonly number[];
  looks: number;
}

export interface SimulationResult {
  /** Share of experiments with a verdict about any variant. */
  decided: number;
  /** Share of experiments with a verdict that is wrong: better without being better, or worse without being worse. */
  falseWinners: number;
  /** Visitors of all variants by which half of the experiments were decided; NaN if fewer were. */
  medianVisitors: number;
}

/**
 * Simulates an experiment many times.
 *
 * @param decides the rule; gets one look at a time, and its verdicts are final
 * @param random returns a number from 0 (inclusive) to 1
 */
export function simulate(
  { rates, batches, looks }: Scenario,
  experiments: number,
  decides: (look: readonly Proportion[]) => Decision,
  random: () => number,
): SimulationResult {
  let falseWinners = 0;
  const visitors: number[] = [];
  for (let run = 0; run < experiments; run++) {
    const counts = rates.map(() => ({ seen: 0, successes: 0 }));
    for (let look = 0; look < looks; look++) {
      for (const [index, count] of counts.entries()) {
        count.seen += batches[index]!;
        count.successes += binomial(batches[index]!, rates[index]!, random);
      }
      const { comparisons } = decides(counts);
      if (comparisons.every(({ verdict }) => verdict === "open")) continue;
      visitors.push(counts.reduce((sum, { seen }) => sum + seen, 0));
      const isFalse = comparisons.some(({ verdict }, index) => {
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
    medianVisitors: visitors[Math.floor(experiments / 2)] ?? NaN,
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
