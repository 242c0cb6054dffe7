/** Decides whether a form is meant for a page and a visitor: a pure function, used by the widget and the admin. */
import { decodedPath, segmentsOf, startsWithSegments } from "./url_path.ts";

export const MAX_GROUPS = 10;
export const MAX_CONDITIONS = 10;
/** Most characters of a condition's texts. */
export const MAX_VALUE = 200;

export const TEXT_MATCHES = ["is", "starts", "contains"] as const;
export type TextMatch = (typeof TEXT_MATCHES)[number];
export const NUMBER_MATCHES = ["below", "atLeast"] as const;
export type NumberMatch = (typeof NUMBER_MATCHES)[number];
export const UTM_TARGETS = ["source", "medium", "campaign"] as const;
/** Days in the order of the week. */
export const DAYS = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"] as const;
export type Day = (typeof DAYS)[number];

/** What a condition compares, by its kind. */
type Comparison =
  /** `is` and `starts` compare whole segments, where `*` is any one segment. `contains` compares text. */
  | { kind: "path"; match: TextMatch; value: string }
  /** A parameter of the page's URL. It holds if any parameter of that name matches. */
  | { kind: "query"; name: string; match: TextMatch; value: string }
  | { kind: "utm"; name: (typeof UTM_TARGETS)[number]; match: TextMatch; value: string }
  /** The host of the page that linked here. `example.com` includes its subdomains; `*` is any one label. */
  | { kind: "referrer"; value: string }
  /** Width of the browser window in CSS pixels. */
  | { kind: "width"; match: NumberMatch; value: number }
  /** BCP 47 tag of the browser's language. `de` includes `de-AT`. */
  | { kind: "language"; value: string }
  | { kind: "visitor"; value: "new" | "returning" }
  /** Pages seen in this session, including this one. */
  | { kind: "pages"; match: NumberMatch; value: number }
  /**
   * From `from` until before `to` (`HH:MM`) on some days. If `to` is not after `from`, the time ends on the next day.
   * `timeZone` is an IANA name.
   */
  | { kind: "time"; days: Day[]; from: string; to: string; timeZone: string }
  /** Total of the cart, in the cart's currency. */
  | { kind: "cartTotal"; match: NumberMatch; value: number }
  /** ID or name of an item in the cart. */
  | { kind: "cartItem"; match: TextMatch; value: string };

export type ConditionKind = Comparison["kind"];
/** `not` negates a condition. */
export type Condition = Comparison & { not?: boolean | undefined };

/** Groups of conditions. It holds if all conditions of at least one group hold, or if there are no groups. */
export type Targeting = { conditions: Condition[] }[];

/** The page and the visitor that a form may be meant for. */
export interface Visit {
  /** Path of the URL, followed by the path in the fragment if a router keeps one there. */
  path: string;
  /** Query of the URL. */
  search: string;
  /** Host of the page that linked here; empty if unknown. */
  referrer: string;
  /** CSS pixels. */
  width: number;
  /** BCP 47 tag. */
  language: string;
  returning: boolean;
  pagesSeen: number;
  /** Undefined until the page reports one, which counts as empty. */
  cart: { total: number; items: readonly { id: string; name: string }[] } | undefined;
  /** Unix milliseconds. */
  now: number;
}

/** Which groups and conditions hold, in the order of the targeting. */
export interface TargetingResult {
  holds: boolean;
  groups: { holds: boolean; conditions: boolean[] }[];
}

/**
 * Compares a targeting with a visit. Never throws. A condition that cannot be evaluated, such as one of a later version
 * or with an unknown time zone, does not hold, negated or not.
 */
export function evaluateTargeting(targeting: Targeting, visit: Visit): TargetingResult {
  const groups = targeting.map(({ conditions }) => {
    const results = conditions.map((condition) => holds(condition, visit));
    return { holds: results.every(Boolean), conditions: results };
  });
  return { holds: !groups.length || groups.some((group) => group.holds), groups };
}

/**
 * Returns whether a targeting holds for a visit, as `evaluateTargeting` does, but compares no more than necessary: a time
 * only if all other conditions of its group hold. A page's first use of `Intl.DateTimeFormat` takes Chromium 11 ms or more.
 */
export function matchesTargeting(targeting: Targeting, visit: Visit): boolean {
  const isTime = ({ kind }: Condition) => Number(kind === "time");
  return !targeting.length ||
    targeting.some(({ conditions }) =>
      [...conditions].sort((a, b) => isTime(a) - isTime(b)).every((condition) => holds(condition, visit))
    );
}

function holds(condition: Condition, visit: Visit): boolean {
  try {
    const result = compare(condition, visit);
    return result !== undefined && result !== !!condition.not;
  } catch {
    return false;
  }
}

function compare(condition: Condition, visit: Visit): boolean | undefined {
  switch (condition.kind) {
    case "path":
      return matchesPath(condition, visit.path);
    case "query":
    case "utm": {
      const name = (condition.kind === "utm" ? "utm_" : "") + condition.name;
      return new URLSearchParams(visit.search).getAll(name).some((value) => matchesText(condition, value));
    }
    case "referrer":
      return startsWithSegments(parts(visit.referrer, ".").reverse(), parts(condition.value, ".").reverse());
    case "width":
      return matchesNumber(condition, visit.width);
    case "language":
      return startsWithSegments(parts(visit.language, "-"), parts(condition.value, "-"));
    case "visitor":
      return (condition.value === "returning") === visit.returning;
    case "pages":
      return matchesNumber(condition, visit.pagesSeen);
    case "time":
      return matchesTime(condition, visit.now);
    case "cartTotal":
      return matchesNumber(condition, visit.cart?.total ?? 0);
    case "cartItem":
      return !!visit.cart?.items.some(({ id, name }) =>
        [id, name].some((text) => matchesText(condition, text))
      );
  }
}

function matchesPath({ match, value }: { match: TextMatch; value: string }, path: string): boolean {
  const segments = segmentsOf(path);
  if (match === "contains") return `/${segments.join("/")}/`.includes(decodedPath(value));
  const pattern = segmentsOf(value);
  return startsWithSegments(segments, pattern) && (match === "starts" || pattern.length === segments.length);
}

/** Compares texts without case. */
function matchesText({ match, value }: { match: TextMatch; value: string }, text: string): boolean {
  const [actual, wanted] = [text.toLowerCase(), value.toLowerCase()];
  if (match === "is") return actual === wanted;
  return match === "starts" ? actual.startsWith(wanted) : actual.includes(wanted);
}

const parts = (text: string, separator: string) => text.toLowerCase().split(separator);

function matchesNumber({ match, value }: { match: NumberMatch; value: number }, actual: number): boolean {
  return match === "below" ? actual < value : actual >= value;
}

/** @throws {RangeError} if the time zone or the time is invalid */
function matchesTime({ days, from, to, timeZone }: Comparison & { kind: "time" }, now: number): boolean {
  const text = new Intl.DateTimeFormat("en-US", {
    timeZone,
    weekday: "short",
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23",
  }).format(now);
  // Such as `Fri 09:30` or, in some browsers, `Fri, 09:30`.
  const today = DAYS.indexOf(text.slice(0, 3).toLowerCase() as Day);
  const time = text.slice(-5);
  const isOn = (day: number) => days.includes(DAYS[(day + 7) % 7]!);
  if (from < to) return isOn(today) && from <= time && time < to;
  return isOn(today) && from <= time || isOn(today - 1) && time < to;
}
