import { errorFunction, mean, quantile, sampleVariance } from "simple-statistics";
import { median } from "./statistics.ts";

/** Response times of one kind of request. */
interface Times {
  count: number;
  mean: number;
  variance: number;
}

/** How well an attacker tells two kinds of requests apart by their response times. */
export interface ToldApart {
  pair: [string, string];
  /** Difference of the means, in milliseconds. */
  differenceMs: number;
  /**
   * The chance of naming the right one of two victims, by the means of as many requests for each: 0.5 is guessing.
   * `upper` is its 95% bound.
   */
  chance: number;
  upper: number;
}

/** One request of an attacker. */
export interface Probe {
  kind: string;
  /** Unix milliseconds. */
  at: number;
  /** Milliseconds. */
  took: number;
}

/** One-sided 95% of the normal distribution. */
const Z95 = 1.645;
/** An attacker compares requests that were sent at the same time, because a server is not equally fast all day. */
const TOGETHER_MS = 2_000;
/** And lets no single slow response spoil a mean. */
const CLIPPED_FROM = 0.99;

const normal = (z: number) => (1 + errorFunction(z / Math.SQRT2)) / 2;

/** Returns each probe's difference from the median of its two seconds, in milliseconds; the longest are cut. */
function differencesByKind(probes: readonly Probe[]): Map<string, number[]> {
  const together = Map.groupBy(probes, ({ at }) => Math.floor(at / TOGETHER_MS));
  const differences = [...together.values()].flatMap((group) => {
    const usual = median(group.map(({ took }) => took));
    return group.map(({ kind, took }) => ({ kind, ms: took - usual }));
  });
  const longest = quantile(differences.map(({ ms }) => Math.abs(ms)), CLIPPED_FROM);
  const clip = (ms: number) => Math.max(-longest, Math.min(longest, ms));
  return new Map(
    [...Map.groupBy(differences, ({ kind }) => kind)].map((
      [kind, ofKind],
    ) => [kind, ofKind.map(({ ms }) => clip(ms))]),
  );
}

/**
 * Compares every two kinds of requests as an attacker would who knows what else slows a server down: each time counts
 * as its difference from the median of all requests of the same two seconds.
 *
 * @param probes at least two of each kind
 * @param perMean how many requests the attacker needs for one mean
 * @param jitterVariance variance of a random delay that the measured responses lack, in square milliseconds
 * @returns the pairs that are easiest to tell apart first
 */
export function toldApart(probes: readonly Probe[], perMean: number, jitterVariance: number): ToldApart[] {
  const all: [string, Times][] = [...differencesByKind(probes)].map(([kind, times]) => [kind, {
    count: times.length,
    mean: mean(times),
    variance: sampleVariance(times),
  }]);
  const pairs = all.flatMap(([a, timesOfA], index) =>
    all.slice(index + 1).map(([b, timesOfB]): ToldApart => {
      const differenceMs = Math.abs(timesOfA.mean - timesOfB.mean);
      const spread = Math.sqrt((timesOfA.variance + timesOfB.variance + 2 * jitterVariance) / perMean);
      const error = Math.sqrt(timesOfA.variance / timesOfA.count + timesOfB.variance / timesOfB.count);
      return {
        pair: [a, b],
        differenceMs,
        chance: normal(differenceMs / spread),
        upper: normal((differenceMs + Z95 * error) / spread),
      };
    })
  );
  return pairs.toSorted((a, b) => b.upper - a.upper);
}
