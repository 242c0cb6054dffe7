import type {
  Condition,
  ConditionKind,
  Day,
  NumberMatch,
  ParameterMatch,
  TextMatch,
  UTM_TARGETS,
  Visit,
} from "../../../../shared/targeting.ts";

export const CONDITION_TITLES: Record<ConditionKind, string> = {
  path: "Path",
  query: "Query parameter",
  utm: "UTM parameter",
  referrer: "Linking site",
  width: "Window width",
  language: "Language",
  visitor: "New or returning",
  pages: "Pages in this session",
  time: "Days and hours",
  cartTotal: "Cart total",
  cartItem: "Cart item",
};

export const TEXT_MATCH_TITLES: Record<TextMatch, string> = {
  is: "is",
  starts: "starts with",
  contains: "contains",
};
export const PARAMETER_MATCH_TITLES: Record<ParameterMatch, string> = {
  ...TEXT_MATCH_TITLES,
  exists: "is set, to any value",
};
export const NUMBER_MATCH_TITLES: Record<NumberMatch, string> = { below: "is below", atLeast: "is at least" };
export const DAY_TITLES: Record<Day, string> = {
  mon: "Monday",
  tue: "Tuesday",
  wed: "Wednesday",
  thu: "Thursday",
  fri: "Friday",
  sat: "Saturday",
  sun: "Sunday",
};

/** Returns a condition in words, such as `Not: Path starts with /blog`. */
export function conditionText(condition: Condition): string {
  return (condition.not ? "Not: " : "") + comparisonText(condition);
}

function comparisonText(condition: Condition): string {
  const title = CONDITION_TITLES[condition.kind];
  switch (condition.kind) {
    case "path":
    case "cartItem":
      return `${title} ${TEXT_MATCH_TITLES[condition.match]} ${condition.value}`;
    case "query":
    case "utm":
      return condition.match === "exists"
        ? `${parameterOf(condition)} is set`
        : `${parameterOf(condition)} ${TEXT_MATCH_TITLES[condition.match]} ${condition.value}`;
    case "width":
    case "pages":
    case "cartTotal":
      return `${title} ${NUMBER_MATCH_TITLES[condition.match]} ${condition.value}`;
    case "referrer":
    case "language":
      return `${title} is ${condition.value}`;
    case "visitor":
      return `Visitor is ${condition.value}`;
    case "time": {
      const days = condition.days.length === 7
        ? "Every day"
        : condition.days.map((day) => DAY_TITLES[day]).join(", ");
      return `${days}, ${condition.from} to ${condition.to} (${condition.timeZone})`;
    }
  }
}

/** Returns what a condition compares with in a visit, such as `The path is /blog/tea.` */
export function actualText(condition: Condition, visit: Visit): string {
  switch (condition.kind) {
    case "path":
      return `The path is ${visit.path}.`;
    case "query":
    case "utm": {
      const isOfVisit = condition.kind === "utm";
      const all = [...new URLSearchParams(isOfVisit ? visit.utm : visit.search)];
      const isAny = isOfVisit && condition.name === "any";
      const given = all.filter(([name]) => isAny ? name.startsWith("utm_") : name === parameterOf(condition));
      if (given.length > 0) return given.map(([name, value]) => `${name} is ${value}.`).join(" ");
      if (isAny) return "The visit has no UTM parameter.";
      return `The ${isOfVisit ? "visit" : "URL"} has no parameter ${parameterOf(condition)}.`;
    }
    case "referrer":
      return visit.referrer === "" ? "There is no linking site." : `The linking site is ${visit.referrer}.`;
    case "width":
      return `The window is ${visit.width} pixels wide.`;
    case "language":
      return `The browser's language is ${visit.language}.`;
    case "visitor":
      return `The visitor is ${visit.returning ? "returning" : "new"}.`;
    case "pages":
      return `This is page ${visit.pagesSeen} of the session.`;
    case "time":
      return `It is ${localTime(visit.now, condition.timeZone)}.`;
    case "cartTotal":
      return visit.cart ? `The cart's total is ${visit.cart.total}.` : "The cart is empty.";
    case "cartItem":
      return visit.cart?.items.length
        ? `The cart has ${visit.cart.items.map(({ id }) => id).join(", ")}.`
        : "The cart is empty.";
  }
}

/** Returns what of a visit does not match a condition, as part of a sentence, such as `the page's path doesn't match`. */
export function mismatchText(condition: Condition): string {
  switch (condition.kind) {
    case "path":
      return "the page's path doesn't match";
    case "query":
    case "utm":
      if (condition.name === "any" && condition.kind === "utm") {
        return "the visit's UTM parameters don't match";
      }
      return `the ${condition.kind === "utm" ? "visit" : "URL"}'s parameter ${
        parameterOf(condition)
      } doesn't match`;
    case "referrer":
      return "the linking site doesn't match";
    case "width":
      return "the window's width doesn't match";
    case "language":
      return "the browser's language doesn't match";
    case "visitor":
      return `the visitor is ${condition.not ? "" : "not "}${condition.value}`;
    case "pages":
      return "the number of pages in this session doesn't match";
    case "time":
      return "the date and time don't match";
    case "cartTotal":
      return "the cart's total doesn't match";
    case "cartItem":
      return "the cart's items don't match";
  }
}

/** Returns a UTM parameter in words, or any of them. */
export const utmTitle = (name: (typeof UTM_TARGETS)[number]): string =>
  name === "any" ? "Any UTM parameter" : `utm_${name}`;

const parameterOf = (condition: Condition & { kind: "query" | "utm" }) =>
  condition.kind === "utm" ? utmTitle(condition.name) : condition.name;

function localTime(now: number, timeZone: string): string {
  return new Intl.DateTimeFormat("en-GB", {
    timeZone,
    weekday: "long",
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23",
  }).format(now);
}
