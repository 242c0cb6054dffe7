import type { MoveProgress } from "../../operations/move/rows.ts";
import { counted, number } from "../../platform/words/counted.ts";

/** Rows of the first seconds say little about the rate. */
const LEAST_SECONDS = 2;

/**
 * Returns what turns the progress of a move into a line of text, with the rate of this step and how long the rest takes.
 * Comparing the rows is expected to take as long as copying them.
 *
 * @param now returns milliseconds
 */
export function moveProgressText(now: () => number): (progress: MoveProgress) => string {
  let first: { step: string; rows: number; at: number } | undefined;
  return ({ step, rows, of }) => {
    if (first?.step !== step) first = { step, rows, at: now() };
    const text = `${
      of && step !== "copied again" ? `${number(rows)} of ${counted(of, "row")}` : counted(rows, "row")
    } ${step}`;
    const seconds = (now() - first.at) / 1_000;
    const perSecond = (rows - first.rows) / seconds;
    if (seconds < LEAST_SECONDS || perSecond <= 0 || step === "copied again") return text;
    const rate = `${text}, ${number(Math.round(perSecond))} a second`;
    if (of === undefined) return rate;
    const left = Math.max(0, of - rows) + (step === "copied" ? of : 0);
    return `${rate}, ${timeText(left / perSecond)} left`;
  };
}

/** Formats a duration in seconds, such as `about 5 minutes`. */
export function timeText(seconds: number): string {
  if (seconds < 100) return `about ${counted(Math.max(1, Math.round(seconds)), "second")}`;
  const minutes = Math.round(seconds / 60);
  return minutes < 100
    ? `about ${counted(minutes, "minute")}`
    : `about ${counted(Math.round(minutes / 60), "hour")}`;
}
