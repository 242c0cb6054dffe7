import type { Settings } from "../../settings/schema/schema.ts";
import { isFarAhead } from "../../platform/time/stored_time.ts";

/** How long the previous webhook secret is accepted beside a new one, if the admin keeps it. */
export const OVERLAP_MS = 24 * 60 * 60 * 1000;

/** Returns whether calls with the previous webhook secret are accepted. @param now Unix milliseconds */
export function acceptsPrevious(
  { previousSecret, previousUntil }: Pick<Settings["webhooks"], "previousSecret" | "previousUntil">,
  now: number,
): boolean {
  return previousSecret !== "" && now < previousUntil && !isFarAhead(previousUntil, now, OVERLAP_MS);
}
