import { withoutTests } from "../../forms/public/test_form.ts";
import type { UsualDays } from "../../platform/attack/attack_mode.ts";
import type { FormDay } from "../../platform/observe/counters.ts";
import { entriesOf, funnelOf } from "../../platform/observe/funnel.ts";

/** The days before today that say what is usual. */
export const USUAL_DAYS = 28;
/** Fewer signups in these days say nothing. */
const ENOUGH_SIGNUPS = 50;

/**
 * Returns what is usual, from the counters of some days; undefined if they had too few signups to tell.
 *
 * @param today in days since 1970: it and later days are left out
 */
export function usualDays(counts: readonly FormDay[], today: number): UsualDays | undefined {
  const days = { from: today - USUAL_DAYS, until: today };
  const counted = withoutTests([...counts]);
  const { accepted, confirmed } = funnelOf(counted, days);
  if (accepted < ENOUGH_SIGNUPS) return undefined;
  const first = Math.min(...counted.filter(({ entries }) => entries["accepted"]).map(({ day }) => day));
  return {
    signupsPerHour: accepted / (24 * (today - Math.max(first, days.from))),
    confirmationRate: Math.min(1, confirmed / accepted),
    polled: (entriesOf(counted, days)["note.confirmed.poll"] ?? 0) > confirmed / 2,
  };
}
