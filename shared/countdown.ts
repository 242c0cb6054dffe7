/** A countdown of a form, as pages have it. */
export interface Countdown {
  /** Unix milliseconds. */
  end: number;
  /** Shown afterwards; without it, the countdown is hidden. */
  after?: string;
}

const UNITS = [["day", 86_400], ["hour", 3600], ["minute", 60], ["second", 1]] as const;

type Units = [unit: (typeof UNITS)[number][0], value: number][];

/**
 * Returns what a countdown shows: the time that is left, rounded up, without leading zeros; and how many milliseconds later
 * that changes. Undefined when it is over.
 *
 * @param end Unix milliseconds
 * @param now Unix milliseconds
 * @param inSeconds whether it shows seconds; otherwise, its last unit is the minute
 */
export function timeLeft(
  end: number,
  now: number,
  inSeconds: boolean,
): { units: Units; next: number } | undefined {
  const left = end - now;
  if (left <= 0) return undefined;
  const step = inSeconds ? 1 : 60;
  const steps = Math.ceil(left / step / 1000);
  let rest = steps * step;
  const units: Units = [];
  for (const [unit, size] of UNITS) {
    const value = Math.floor(rest / size);
    rest %= size;
    if (size >= step && (value || units.length)) units.push([unit, value]);
  }
  return { units, next: left - (steps - 1) * step * 1000 };
}

/** Returns a time that is left in words, such as `3 days 4 hr 12 min 5 sec`. */
export const timeLeftText = (locale: string, units: Units): string =>
  units.map(([unit, value]) => new Intl.NumberFormat(locale, { style: "unit", unit }).format(value)).join(
    " ",
  );

/** Numbers of which each changes the words after it in some language. Those that are 100 more do, too, but for the first. */
const PLURALS = [1, 2, 3, 11, 23];

/**
 * Returns texts of which one is the longest that a countdown still shows; none if it is over.
 *
 * @param end Unix milliseconds
 * @param now Unix milliseconds
 */
export function longTimesLeft(locale: string, end: number, now: number): string[] {
  const [first, ...others] = timeLeft(end, now, true)?.units ?? [];
  if (!first) return [];
  const [unit, most] = first;
  const highest = PLURALS.filter((each) => each < most).map((each) => most - (most - each) % 100);
  return [...new Set([1, ...highest, most])].flatMap((value) =>
    PLURALS.map((low) =>
      timeLeftText(locale, [[unit, value], ...others.map(([unit]): Units[0] => [unit, low])])
    )
  );
}
