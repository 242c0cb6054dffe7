import { differenceOf, type Interval, type Proportion } from "./confidence_sequence.ts";

/** Probability, over the whole experiment, that a variant without a difference is declared better or worse. */
export const ALPHA = 0.05;
/**
 * Successes that the two compared variants must have together. With fewer, their rates are not normally distributed, which
 * the interval assumes.
 */
export const MIN_SUCCESSES = 20;

/** One variant compared with the first one. */
export interface Comparison {
  /** Difference of the rates. */
  difference: Interval;
  verdict: "better" | "worse" | "open";
}

/** What an experiment shows. Indexes are those of the variants. */
export interface Decision {
  /** Each variant but the first, in order. */
  comparisons: Comparison[];
  /** The variant to keep: the best one that is better, or the first one if all others are worse. */
  winner: number | undefined;
}

/**
 * Decides an experiment. The rate of errors holds for all comparisons together, because each one has an equal share of it
 * (Bonferroni), and for every number of looks at the result.
 *
 * @param looks the counts of all variants at each look, oldest first. A verdict of an earlier look remains, which the
 * error rate of a confidence sequence includes
 */
export function decide(looks: readonly (readonly Proportion[])[]): Decision {
  const variants = looks.at(-1)?.length ?? 0;
  const alpha = ALPHA / Math.max(1, variants - 1);
  const comparisons = Array.from({ length: Math.max(0, variants - 1) }, (_, index): Comparison => {
    let verdict: Comparison["verdict"] = "open";
    let difference: Interval = { estimate: 0, from: -1, to: 1 };
    for (const look of looks) {
      const [base, other] = [look[0]!, look[index + 1]!];
      difference = differenceOf(base, other, alpha);
      if (verdict === "open") verdict = verdictOf(base, other, difference);
    }
    return { difference, verdict };
  });
  return { comparisons, winner: winnerOf(comparisons) };
}

function verdictOf(base: Proportion, other: Proportion, { from, to }: Interval): Comparison["verdict"] {
  if (base.successes + other.successes < MIN_SUCCESSES) return "open";
  return from > 0 ? "better" : to < 0 ? "worse" : "open";
}

function winnerOf(comparisons: readonly Comparison[]): number | undefined {
  let best: number | undefined;
  for (const [index, { verdict, difference }] of comparisons.entries()) {
    if (verdict !== "better") continue;
    if (best === undefined || difference.estimate > comparisons[best]!.difference.estimate) best = index;
  }
  if (best !== undefined) return best + 1;
  const isFirst = comparisons.length > 0 && comparisons.every(({ verdict }) => verdict === "worse");
  return isFirst ? 0 : undefined;
}
