import type { Funnel } from "../../platform/observe/funnel.ts";

const ENOUGH_SIGNUPS = 20;
/** Critical value of the one-sided test: by chance, about one week in 200 exceeds it. */
const Z = 2.58;
/** Smaller drops don't matter. */
const RELEVANT_DROP = 0.75;

/** Returns whether the confirmation rate has dropped significantly, and by more than a quarter. */
export function hasDropped(lately: Funnel, before: Funnel): boolean {
  if (lately.accepted < ENOUGH_SIGNUPS || before.accepted < ENOUGH_SIGNUPS) return false;
  const [now, then] = [lately, before].map(({ accepted, confirmed }) => Math.min(1, confirmed / accepted));
  if (now! >= then! * RELEVANT_DROP) return false;
  const all = lately.accepted + before.accepted;
  const pooled = Math.min(1, (lately.confirmed + before.confirmed) / all);
  const error = Math.sqrt(pooled * (1 - pooled) * (1 / lately.accepted + 1 / before.accepted));
  return then! - now! > Z * error;
}
