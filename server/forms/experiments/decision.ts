import { compare, type Comparison, type Interval, type Proportion, signOf } from "./confidence_sequence.ts";

/** Probability, over the whole experiment, that a variant without a difference is declared better or worse. */
export const ALPHA = 0.05;

export type Verdict = "better" | "worse" | "open";

/** One variant compared with the first one. */
export interface DecidedComparison extends Comparison {
  verdict: Verdict;
}

/** What an experiment shows. Indexes are those of the variants. */
export interface Decision {
  /** Each variant but the first, in order. */
  comparisons: DecidedComparison[];
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
  const verdicts: Verdict[] = [];
  for (const look of looks) {
    for (const [index, verdict] of verdictsOf(look).entries()) {
      if ((verdicts[index] ?? "open") === "open") verdicts[index] = verdict;
    }
  }
  const comparisons = verdicts.map((verdict, index): DecidedComparison => ({
    ...keeping(verdict, compareVariant(looks.at(-1)!, index + 1)),
    verdict,
  }));
  return { comparisons, winner: winnerOf(comparisons) };
}

/** Returns the intervals of one variant, compared with the first one, as part of the comparisons of all. */
export function compareVariant(look: readonly Proportion[], index: number): Comparison {
  return compare(look[0]!, look[index]!, alphaOf(look));
}

const alphaOf = (look: readonly unknown[]) => ALPHA / Math.max(1, look.length - 1);

/** Returns the verdict on each variant but the first at one look. */
export function verdictsOf(look: readonly Proportion[]): Verdict[] {
  const [first, ...others] = look;
  return others.map((each) => VERDICTS[signOf(first!, each, alphaOf(look))]);
}

const VERDICTS = { "-1": "worse", "0": "open", "1": "better" } as const;

/** Returns intervals without the values that an earlier look has excluded. */
function keeping(verdict: Verdict, { difference, ratio }: Comparison): Comparison {
  return { difference: keptPart(verdict, difference, 0), ratio: keptPart(verdict, ratio, 1) };
}

function keptPart(verdict: Verdict, interval: Interval, none: number): Interval {
  const { estimate, from, to } = interval;
  if (verdict === "better" && to > none) {
    return { estimate: Math.max(none, estimate), from: Math.max(none, from), to };
  }
  if (verdict === "worse" && from < none) {
    return { estimate: Math.min(none, estimate), from, to: Math.min(none, to) };
  }
  return interval;
}

function winnerOf(comparisons: readonly DecidedComparison[]): number | undefined {
  let best: number | undefined;
  for (const [index, { verdict, difference }] of comparisons.entries()) {
    if (verdict !== "better") continue;
    if (best === undefined || difference.estimate > comparisons[best]!.difference.estimate) best = index;
  }
  if (best !== undefined) return best + 1;
  const isFirst = comparisons.length > 0 && comparisons.every(({ verdict }) => verdict === "worse");
  return isFirst ? 0 : undefined;
}
