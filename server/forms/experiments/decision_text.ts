import { counted } from "../../platform/words/counted.ts";
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

/**
 * Returns what an experiment has shown so far, in plain words.
 *
 * @param ended whether it was stopped, so that no more visitors are counted
 */
export function decisionText(
  { totals, decision: { comparisons, winner } }: ExperimentResults,
  ended: boolean,
): string {
  const names = totals.map(({ variant }) => `“${variant.name}”`);
  const base = names[0]!;
  if (winner === 0) return `${base} gets more confirmed signups than every other variant, ${LUCK}.`;
  if (winner !== undefined) {
    return `${names[winner]} gets more confirmed signups than ${base}, ${LUCK}.`;
  }
  const open = ended ? "Not decided" : "Not decided yet";
  if (totals.every(({ seen }) => seen === 0)) {
    return ended
      ? `${open}: no visitor saw the form.`
      : `${open}: no visitor has seen the form since the start.`;
  }
  const confirmed = totals.reduce((sum, total) => sum + total.confirmed, 0);
  if (confirmed < MIN_SUCCESSES) {
    return `${open}: ${counted(confirmed, "confirmed signup")}${
      ended ? "" : " so far"
    }. Two variants can be compared once they have ${MIN_SUCCESSES} together.`;
  }
  const worse = comparisons.flatMap(({ verdict }, index) => verdict === "worse" ? [names[index + 1]] : []);
  const known = worse.length > 0 ? ` ${worse.join(" and ")} gets fewer than ${base}, ${LUCK}.` : "";
  const next = ended
    ? `Start it again for more visitors, or keep ${base}.`
    : `Keep the experiment running, or keep ${base}.`;
  return `${open}: the differences could still be luck.${known} ${next}`;
}
