/** How often something happened among the visitors of one variant. */
export interface Proportion {
  /** Visitors. */
  seen: number;
  /** Those of them for whom it happened. */
  successes: number;
}

/** A range of values, and the value that is most likely. */
export interface Interval {
  estimate: number;
  from: number;
  to: number;
}

/**
 * Standardized difference for which the interval is narrowest: 5 % of a standard deviation, which is a rise from 5 % to
 * 6.1 %. The interval is valid for every difference. A larger value would decide sooner about large differences, and
 * later about small ones.
 */
const RHO = 0.05;

/**
 * Returns the difference between two rates, as an interval of a confidence sequence: the probability that it ever
 * misses the true difference is at most `alpha`, even if it is computed after every visitor and the experiment ends as
 * soon as it excludes 0.
 *
 * With t = 1 / (1/n₁ + 1/n₂) and the estimated variance s² of the difference, its half width is
 *
 *     s √( (tρ² + 1) / (tρ²) · ln( (tρ² + 1) / α² ) )
 *
 * This is the normal mixture of Robbins (1970), which is the mSPRT of Johari, Koomen, Pekelis and Walsh, "Always Valid
 * Inference" (Operations Research 70, 2022, section 5), in the asymptotic form of Waudby-Smith, Arbour, Sinha, Kennedy and
 * Ramdas, "Time-uniform central limit theory and asymptotic confidence sequences" (Annals of Statistics 52, 2024,
 * theorem 2.2). ρ depends on no data, as the theorem requires.
 *
 * The variance adds one success and one failure to each variant (Agresti and Caffo, The American Statistician 54, 2000),
 * because a variant without successes would otherwise seem to be known exactly.
 *
 * @returns the difference `other` minus `base`; from -1 to 1 as long as one of them has no visitors
 */
export function differenceOf(base: Proportion, other: Proportion, alpha: number): Interval {
  if (base.seen === 0 || other.seen === 0) return { estimate: 0, from: -1, to: 1 };
  const estimate = rateOf(other) - rateOf(base);
  const information = RHO ** 2 / (1 / base.seen + 1 / other.seen);
  const halfWidth = Math.sqrt(
    (varianceOf(base) + varianceOf(other)) * (information + 1) / information *
      Math.log((information + 1) / alpha ** 2),
  );
  return { estimate, from: Math.max(-1, estimate - halfWidth), to: Math.min(1, estimate + halfWidth) };
}

/** Returns the share of visitors for whom it happened: at most 1, and 0 without visitors. */
export function rateOf({ seen, successes }: Proportion): number {
  return seen === 0 ? 0 : Math.min(1, successes / seen);
}

/** Returns the variance of the rate. */
function varianceOf({ seen, successes }: Proportion): number {
  const rate = (Math.min(successes, seen) + 1) / (seen + 2);
  return rate * (1 - rate) / seen;
}
