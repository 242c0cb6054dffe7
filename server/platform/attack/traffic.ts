/** Accepted signups and confirmations, compared with what is usual. */

/** Counts by age: of the current minute or hour first, then of those before. */
export interface Series {
  accepted: readonly number[];
  confirmed: readonly number[];
}

/** Signups of one form, or of all together. */
export interface Traffic {
  form?: string;
  /** By minutes. */
  hour: Series;
  /** By hours. */
  day: Series;
  /** The four weeks before today; absent if they had too few signups to tell. */
  usual?: Usual;
}

export interface Usual {
  signupsPerHour: number;
  /** Confirmed signups per accepted one, from 0 to 1. */
  confirmationRate: number;
}

/** The latest minutes of an hour, or hours of a day. */
export interface Window {
  of: "hour" | "day";
  slots: number;
}

export const HOUR: Window = { of: "hour", slots: 60 };
/** A rush is noticed in the shortest, and a slow one in the longest. */
export const WINDOWS: readonly Window[] = [
  { of: "hour", slots: 5 },
  { of: "hour", slots: 15 },
  HOUR,
  { of: "day", slots: 24 },
];

export interface Comparison {
  /** Signups more than usual. */
  extra: number;
  /** Usual signups in a window of this length. */
  usual: number;
  confirmed: number;
  /** Confirmations of as many usual signups, or of fewer where fewer came before. */
  usualConfirmed: number;
  /** How many of the extra signups would be confirmed by now, if they were visitors'. */
  expected: number;
}

/** The part of visitors that confirms where that is not known. */
const UNKNOWN_RATE = 0.4;

/**
 * Which part of those who confirm has done so, by the age of their signups: about half of what most sites see, because
 * mail can be late. `from` in minutes, or in hours.
 */
const CONFIRMED_BY = {
  hour: [
    { from: 40, part: 0.6 },
    { from: 20, part: 0.5 },
    { from: 10, part: 0.4 },
    { from: 5, part: 0.3 },
    { from: 4, part: 0.25 },
    { from: 3, part: 0.2 },
    { from: 2, part: 0.15 },
    { from: 1, part: 0.05 },
    { from: 0, part: 0 },
  ],
  day: [{ from: 1, part: 0.5 }, { from: 0, part: 0.2 }],
} as const;

/**
 * Compares the traffic of the latest minutes or hours with as many usual ones.
 *
 * @param unknownMinutes of so many, confirmations are not known yet
 */
export function compare(traffic: Traffic, { of, slots }: Window, unknownMinutes: number): Comparison {
  const { accepted, confirmed } = traffic[of];
  const { signupsPerHour, confirmationRate } = traffic.usual ??
    { signupsPerHour: 0, confirmationRate: UNKNOWN_RATE };
  const usualInSlot = of === "hour" ? signupsPerHour / 60 : signupsPerHour;
  const now = usualInSlot * levelOf(traffic[of], usualInSlot);
  const unknown = of === "hour" ? unknownMinutes : 0;
  let [sum, confirmedNow, old] = [0, 0, 0];
  for (let age = 0; age < slots; age++) {
    const inSlot = accepted[age] ?? 0;
    sum += inSlot;
    old += (inSlot - now) * partConfirmed(of, age - unknown);
    confirmedNow += confirmed[age] ?? 0;
  }
  return {
    extra: sum - usualInSlot * slots,
    usual: usualInSlot * slots,
    confirmed: confirmedNow,
    usualConfirmed: now * slots * confirmationRate,
    expected: Math.max(0, old * confirmationRate),
  };
}

/** Returns which part of the usual signups came before a rush: none at night, or before the start of the process. */
function levelOf({ accepted }: Series, usualInSlot: number): number {
  const before = accepted.slice(Math.floor(accepted.length / 4));
  const usual = usualInSlot * before.length;
  return usual > 0 ? Math.min(1, before.reduce((sum, count) => sum + count, 0) / usual) : 0;
}

const partConfirmed = (of: Window["of"], age: number): number =>
  CONFIRMED_BY[of].find(({ from }) => age >= from)?.part ?? 0;
