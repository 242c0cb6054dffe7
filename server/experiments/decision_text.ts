import { counted } from "../counted.ts";
import { ALPHA, MIN_SUCCESSES } from "./decision.ts";
import type { ExperimentResults } from "./results.ts";

const POINTS = new Intl.NumberFormat("en", { maximumFractionDigits: 2 });

/** Returns a difference of rates in percentage points, such as `+1.2` or `−0.4`. */
export function pointsText(difference: number): string {
  const points = POINTS.format(Math.abs(difference * 100));
  if (points === "0") return "0";
  return `${difference < 0 ? "−" : "+"}${points}`;
}

const LUCK = `with at most a ${ALPHA * 100}% chance that this is luck`;

/** Returns what an experiment has shown so far, in plain words. */
export function decisionText({ totals, decision: { comparisons, winner } }: ExperimentResults): string {
  const names = totals.map(({ variant }) => `“${variant.name}”`);
  const base = names[0]!;
  if (winner === 0) return `${base} gets more confirmed signups than every other variant, ${LUCK}.`;
  if (winner !== undefined) {
    return `${names[winner]} gets more confirmed signups than ${base}, ${LUCK}.`;
  }
  if (totals.every(({ seen }) => seen === 0)) {
    return "Not decided yet: no visitor has seen the form since the start.";
  }
  const confirmed = totals.reduce((sum, total) => sum + total.confirmed, 0);
  if (confirmed < MIN_SUCCESSES) {
    return `Not decided yet: ${
      counted(confirmed, "confirmed signup")
    } so far. Two variants can be compared once they have ${MIN_SUCCESSES} together.`;
  }
  const worse = comparisons.flatMap(({ verdict }, index) => verdict === "worse" ? [names[index + 1]] : []);
  const known = worse.length > 0 ? ` ${worse.join(" and ")} gets fewer than ${base}, ${LUCK}.` : "";
  return `Not decided yet: the differences could still be luck.${known} Keep the experiment running, or keep ${base}.`;
}
