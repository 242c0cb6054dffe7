import { z } from "zod";

/** When a form is shown. Absent for a form that is live. */
export const formStatus = z.enum(["draft", "paused"], "must be draft or paused, or absent for a live form");

const EXAMPLE = "must be a date and time with a year of four digits, such as 2026-12-01T09:00";
/** A minute in the site's time zone. */
export const minute = z.string(EXAMPLE).regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d$/, EXAMPLE).refine(
  isMinute,
  EXAMPLE,
);

function isMinute(text: string): boolean {
  const at = new Date(`${text}Z`);
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(text);
}

/** The time in which a form is shown. Without `from`, it has begun; without `until`, it does not end. */
export const schedule = z.strictObject({ from: minute.optional(), until: minute.optional() }).refine(
  ({ from, until }) => !from || !until || from < until,
  { path: ["until"], message: "must be after the start" },
);
