import { type Condition, evaluateTargeting, type Visit } from "../targeting.ts";

/** A visit for tests of targeting. */
export const VISIT: Visit = {
  path: "/blog/tea",
  search: "?utm_campaign=Spring&utm_source=news&color=red&color=blue",
  utm: "utm_campaign=Spring&utm_source=news",
  referrer: "www.google.de",
  width: 390,
  language: "de-AT",
  returning: true,
  pagesSeen: 2,
  cart: { total: 49.5, items: [{ id: "sku-1", name: "Green tea" }] },
  // A Friday, 22:30 in Berlin.
  now: Date.UTC(2030, 0, 4, 21, 30),
};

/** Returns whether a condition holds for `VISIT`, with other values where given. */
export const holds = (condition: Condition, visit: Partial<Visit> = {}) =>
  evaluateTargeting([{ conditions: [condition] }], { ...VISIT, ...visit }).holds;
