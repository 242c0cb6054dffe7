/** When a form that does not open now will open, if only time keeps it closed. */
import type { PopupBlocker } from "../../../../shared/popup_rules.ts";
import { type Day, DAYS, type Targeting } from "../../../../shared/targeting.ts";
import { allForms } from "../../../settings/forms/all_forms.ts";
import type { Settings } from "../../../settings/schema/schema.ts";
import { siteZone } from "../../../settings/schema/time_zone.ts";
import { minuteIn, minuteStart } from "../../../settings/schema/utc_offsets.ts";
import type { DescribedVisit } from "./described_visit.ts";
import { openingBlockers, openingRules } from "./opening_blockers.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** What passes by itself. */
const PASSING: readonly PopupBlocker[] = ["closed", "quiet", "disabled", "targeting"];
/** How many points in time are tried: enough for a week with several conditions, and few enough for a request. */
const MAX_TRIES = 60;

/**
 * Returns when a form opens by itself for the same visit at a later time, such as after the days for which it stays
 * hidden, at the start of its schedule, or on the next day of its targeting. All rules are checked again at that time.
 *
 * @returns Unix milliseconds; undefined if something else keeps it closed, or if it never opens
 */
export function showingAgain(
  settings: Settings,
  name: string,
  described: DescribedVisit,
): number | undefined {
  let at = described.visit.now;
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const blockers = openingBlockers(settings, name, described, at);
    if (blockers.length === 0) return at;
    if (!blockers.every((blocker) => PASSING.includes(blocker))) return undefined;
    const next = nextChange(settings, name, described, at);
    if (next === undefined) return undefined;
    at = next;
  }
  return undefined;
}

/** Returns the first time after `at` at which a rule may change its result. */
function nextChange(
  settings: Settings,
  name: string,
  { browser }: DescribedVisit,
  at: number,
): number | undefined {
  const { rules } = openingRules(settings, name, at);
  const changes = [
    ...browser.formClosedAt > 0 ? [browser.formClosedAt + rules.hideDays * DAY_MS] : [],
    ...browser.closedAt > 0 ? [browser.closedAt + (rules.quietHours ?? 0) * HOUR_MS] : [],
    ...scheduleTimes(settings),
    ...targetingTimes(rules.targeting ?? [], at),
  ];
  const later = changes.filter((time) => time > at);
  return later.length > 0 ? Math.min(...later) : undefined;
}

/** Returns when the schedules of all forms begin and end: whether a form is the only one changes its rules. */
function scheduleTimes(settings: Settings): number[] {
  const zone = siteZone(settings);
  return allForms(settings).flatMap(({ schedule }) =>
    [schedule?.from, schedule?.until].flatMap((minute) => minute ? minuteStart(minute, zone) ?? [] : [])
  );
}

/** A time of day at which a condition begins to hold, on some days. */
interface Beginning {
  time: string;
  days: readonly Day[];
}

/** Returns, for each time zone in a targeting, when one of its conditions next begins to hold. */
function targetingTimes(targeting: Targeting, at: number): number[] {
  const zones = new Map<string, Beginning[]>();
  for (const condition of targeting.flatMap(({ conditions }) => conditions)) {
    if (condition.kind !== "time") continue;
    const { from, to, timeZone, not } = condition;
    const beginning = not ? { time: to, days: DAYS } : { time: from, days: condition.days };
    zones.set(timeZone, [...zones.get(timeZone) ?? [], beginning]);
  }
  return [...zones].flatMap(([zone, beginnings]) => {
    const next = beginnings.flatMap((beginning) => nextMinute(beginning, minuteIn(zone, at)) ?? []).sort()[0];
    return next === undefined ? [] : minuteStart(next, zone) ?? [];
  });
}

/** Returns the first minute after another one, such as `2030-01-04T09:00`, both as clocks in the same zone show them. */
function nextMinute({ time, days }: Beginning, after: string): string | undefined {
  for (let later = 0; later <= 7; later++) {
    const date = new Date(Date.parse(`${after.slice(0, 10)}T00:00:00Z`) + later * DAY_MS);
    const minute = `${date.toISOString().slice(0, 10)}T${time}`;
    // Sunday is the first day in JavaScript, and the last one here.
    if (minute > after && days.includes(DAYS[(date.getUTCDay() + 6) % 7]!)) return minute;
  }
  return undefined;
}
