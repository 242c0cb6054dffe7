import { z } from "zod";
import { dayIn } from "../../platform/observe/days.ts";

export const timeZone = z.string("must be a text").trim().max(100, "must be 100 characters or less").refine(
  isTimeZone,
  "must be a time zone such as Europe/Berlin or UTC",
);

function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat("en", { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

/** Returns the site's time zone (IANA name): that of the settings, or of this machine (`TZ`). */
export function siteZone({ general }: { general: { timeZone: string } }): string {
  return general.timeZone || machineZone();
}

/** Returns the time zone of this machine (`TZ`), which is the site's unless the settings name another. */
export function machineZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone;
}

/** Returns the site's day of a time (Unix milliseconds), in days since 1970. */
export function siteDay(settings: Parameters<typeof siteZone>[0], at: number): number {
  return dayIn(siteZone(settings), at);
}
