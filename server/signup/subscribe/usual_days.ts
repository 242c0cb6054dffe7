import { withoutTests } from "../../forms/public/test_form.ts";
import type { UsualDays } from "../../platform/attack/attack_mode.ts";
import type { Usual } from "../../platform/attack/traffic.ts";
import type { FormDay } from "../../platform/observe/counters.ts";
import { funnelOf } from "../../platform/observe/funnel.ts";

/** The days before today that say what is usual. */
export const USUAL_DAYS = 28;
/** Fewer signups in these days say nothing. */
const ENOUGH_SIGNUPS = 50;
/** Signups of an attack must not look usual the next day: fewer than these are confirmed only in an attack, or by mistake. */
const LEAST_RATE = 0.2;

/**
 * Returns what is usual for all forms together and for each form, from the counters of some days. What had too few signups
 * to tell is absent.
 *
 * @param today in days since 1970: it and later days are left out
 */
export function usualDays(counts: readonly FormDay[], today: number): UsualDays {
  const counted = withoutTests([...counts]);
  const names = new Set(counted.map(({ form }) => form));
  const all = usualOf(counted, today);
  const forms = [...names].flatMap((form): [string, Usual][] => {
    const usual = usualOf(counted.filter((each) => each.form === form), today);
    return usual ? [[form, usual]] : [];
  });
  return { ...all && { all }, forms: new Map(forms) };
}

function usualOf(counts: readonly FormDay[], today: number): Usual | undefined {
  const days = { from: today - USUAL_DAYS, until: today };
  const { accepted, confirmed } = funnelOf(counts, days);
  if (accepted < ENOUGH_SIGNUPS) return undefined;
  const first = Math.min(...counts.filter(({ entries }) => entries["accepted"]).map(({ day }) => day));
  return {
    signupsPerHour: Math.min(accepted, confirmed / LEAST_RATE) / (24 * (today - Math.max(first, days.from))),
    confirmationRate: Math.min(1, Math.max(LEAST_RATE, confirmed / accepted)),
  };
}
