/** Decides whether a form is meant for a page and a visitor: a pure function, used by the widget and the admin. */
import { decodedPath, segmentsOf, startsWithSegments } from "./url_path.ts";

export const MAX_GROUPS = 10;
export const MAX_CONDITIONS = 10;
/** Most characters of a condition's texts. */
export const MAX_VALUE = 200;

export const TEXT_MATCHES = ["is", "starts", "contains"] as const;
export type TextMatch = (typeof TEXT_MATCHES)[number];
/** `exists` holds for any value, which can be none in a URL. Its own `value` is empty, so that every text contains it. */
export const PARAMETER_MATCHES = [...TEXT_MATCHES, "exists"] as const;
export type ParameterMatch = (typeof PARAMETER_MATCHES)[number];
export const NUMBER_MATCHES = ["below", "atLeast"] as const;
export type NumberMatch = (typeof NUMBER_MATCHES)[number];
/** `any` stands for every UTM parameter. */
export const UTM_TARGETS = ["source", "medium", "campaign", "any"] as const;
/** Days in the order of the week. */
export const DAYS = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"] as const;
export type Day = (typeof DAYS)[number];

/** The UTC offset of a time zone, and when it begins (Unix milliseconds). Both in milliseconds. */
export type UtcOffset = [since: number, offset: number];

/** What a condition compares, by its kind. */
type Comparison =
  /** `is` and `starts` compare whole segments, where `*` is any one segment. `contains` compares the text, with file extensions. */
  | { kind: "path"; match: TextMatch; value: string }
  /** A parameter of the page's URL. It holds if any parameter of that name matches. */
  | { kind: "query"; name: string; match: ParameterMatch; value: string }
  /** A UTM parameter of the visit. */
  | { kind: "utm"; name: (typeof UTM_TARGETS)[number]; match: ParameterMatch; value: string }
  /** The host of the page that linked to the visit's first page. `example.com` includes its subdomains; `*` is any one label. */
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
   * `timeZone` is an IANA name. `offsets` are its UTC offsets, in order, the first since 1970 or earlier: a browser would
   * take 11 ms or more to load its calendar.
   */
  | { kind: "time"; days: Day[]; from: string; to: string; timeZone: string; offsets: UtcOffset[] }
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
  /** UTM parameters of the visit, as a query. */
  utm: string;
  /** Host of the page that linked to the visit's first page; empty if unknown. */
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
 * Compares a targeting with a visit. Never throws. A condition that cannot be evaluated, such as one of another version,
 * does not hold, negated or not.
 */
export function evaluateTargeting(targeting: Targeting, visit: Visit): TargetingResult {
  const groups = targeting.map(({ conditions }) => {
    const results = conditions.map((condition) => holds(condition, visit));
    return { holds: results.every(Boolean), conditions: results };
  });
  return { holds: !groups.length || groups.some((group) => group.holds), groups };
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
      return hasParameter(condition, visit.search, condition.name);
    case "utm":
      return hasParameter(
        condition,
        visit.utm,
        condition.name === "any" ? undefined : `utm_${condition.name}`,
      );
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
  if (match === "contains") return `${decodedPath(path)}/`.includes(decodedPath(value));
  const segments = segmentsOf(path);
  const pattern = segmentsOf(value);
  return startsWithSegments(segments, pattern) && (match === "starts" || pattern.length === segments.length);
}

/** Without a name, every UTM parameter counts. */
const hasParameter = (condition: { match: ParameterMatch; value: string }, query: string, name?: string) =>
  [...new URLSearchParams(query)].some(([key, value]) =>
    (name ? key === name : /^utm_/.test(key)) && matchesText(condition, value)
  );

/** Compares texts without case. */
function matchesText({ match, value }: { match: ParameterMatch; value: string }, text: string): boolean {
  const [actual, wanted] = [text.toLowerCase(), value.toLowerCase()];
  if (match === "is") return actual === wanted;
  return match === "starts" ? actual.startsWith(wanted) : actual.includes(wanted);
}

const parts = (text: string, separator: string) => text.toLowerCase().split(separator);

function matchesNumber({ match, value }: { match: NumberMatch; value: number }, actual: number): boolean {
  return match === "below" ? actual < value : actual >= value;
}

/** @throws {TypeError} if there are no offsets, {RangeError} if the time is invalid */
function matchesTime({ days, from, to, offsets }: Comparison & { kind: "time" }, now: number): boolean {
  const [, offset] = offsets.findLast(([since]) => since <= now)!;
  const local = new Date(now + offset);
  const time = local.toISOString().slice(11, 16);
  // `getUTCDay` counts from Sunday, `DAYS` from Monday.
  const isOn = (day: number) => days.includes(DAYS[day % 7]!);
  const today = local.getUTCDay() + 6;
  if (from < to) return isOn(today) && from <= time && time < to;
  return isOn(today) && from <= time || isOn(today - 1) && time < to;
}
