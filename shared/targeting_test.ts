import assert from "node:assert/strict";
import fc from "fast-check";
import {
  type Condition,
  DAYS,
  evaluateTargeting,
  matchesTargeting,
  NUMBER_MATCHES,
  type Targeting,
  TEXT_MATCHES,
  UTM_TARGETS,
  type Visit,
} from "./targeting.ts";

const VISIT: Visit = {
  path: "/blog/tea",
  search: "?utm_campaign=Spring&utm_source=news&color=red&color=blue",
  referrer: "www.google.de",
  width: 390,
  language: "de-AT",
  returning: true,
  pagesSeen: 2,
  cart: { total: 49.5, items: [{ id: "sku-1", name: "Green tea" }] },
  // A Friday, 22:30 in Berlin.
  now: Date.UTC(2030, 0, 4, 21, 30),
};
const holds = (condition: Condition, visit: Partial<Visit> = {}) =>
  evaluateTargeting([{ conditions: [condition] }], { ...VISIT, ...visit }).holds;

const text = fc.oneof(fc.string(), fc.constantFrom("/blog", "*", "/blog/*", "tea", "%", "", "de", "news"));
const textMatch = fc.constantFrom(...TEXT_MATCHES);
const numberMatch = fc.constantFrom(...NUMBER_MATCHES);
const number = fc.oneof(fc.nat(2000), fc.double());
const comparison = fc.oneof(
  fc.record({ kind: fc.constant("path" as const), match: textMatch, value: text }),
  fc.record({ kind: fc.constant("query" as const), name: text, match: textMatch, value: text }),
  fc.record({
    kind: fc.constant("utm" as const),
    name: fc.constantFrom(...UTM_TARGETS),
    match: textMatch,
    value: text,
  }),
  fc.record({ kind: fc.constantFrom("referrer" as const, "language" as const), value: text }),
  fc.record({
    kind: fc.constantFrom("width" as const, "pages" as const, "cartTotal" as const),
    match: numberMatch,
    value: number,
  }),
  fc.record({
    kind: fc.constant("visitor" as const),
    value: fc.constantFrom("new" as const, "returning" as const),
  }),
  fc.record({
    kind: fc.constant("time" as const),
    days: fc.subarray([...DAYS]),
    from: fc.constantFrom("00:00", "09:00", "22:00"),
    to: fc.constantFrom("00:00", "06:00", "17:00"),
    timeZone: fc.constantFrom("UTC", "Europe/Berlin", "America/St_Johns", "Pacific/Apia"),
  }),
  fc.record({ kind: fc.constant("cartItem" as const), match: textMatch, value: text }),
);
const condition: fc.Arbitrary<Condition> = fc.tuple(comparison, fc.boolean())
  .map(([comparison, not]) => ({ ...comparison, not }));
const targeting: fc.Arbitrary<Targeting> = fc.array(
  fc.record({ conditions: fc.array(condition, { maxLength: 4 }) }),
  { maxLength: 4 },
);
const visit: fc.Arbitrary<Visit> = fc.record({
  path: fc.oneof(fc.webPath(), fc.string(), fc.constantFrom("/blog/tea", "/blog")),
  search: fc.oneof(fc.string(), fc.constantFrom("", VISIT.search)),
  referrer: fc.oneof(fc.domain(), fc.string()),
  width: number,
  language: fc.oneof(fc.string(), fc.constantFrom("de", "de-AT")),
  returning: fc.boolean(),
  pagesSeen: fc.nat(20),
  cart: fc.option(
    fc.record({
      total: number,
      items: fc.array(fc.record({ id: fc.string(), name: fc.string() }), { maxLength: 3 }),
    }),
    { nil: undefined },
  ),
  now: fc.integer({ min: 0, max: 8e12 }),
});

Deno.test("no targeting holds for every visit", () => {
  fc.assert(fc.property(visit, (visit) => assert.ok(evaluateTargeting([], visit).holds)));
});

Deno.test("conditions of a group are joined by AND, groups by OR, and the result lists each of them", () => {
  fc.assert(fc.property(targeting, visit, (targeting, visit) => {
    const result = evaluateTargeting(targeting, visit);
    assert.deepEqual(
      result.groups.map(({ conditions }) => conditions),
      targeting.map(({ conditions }) =>
        conditions.map((condition) => evaluateTargeting([{ conditions: [condition] }], visit).holds)
      ),
    );
    for (const group of result.groups) assert.equal(group.holds, group.conditions.every(Boolean));
    assert.equal(result.holds, targeting.length === 0 || result.groups.some((group) => group.holds));
  }));
});

Deno.test("a form opens exactly where the admin says that its targeting holds", () => {
  fc.assert(fc.property(targeting, visit, (targeting, visit) => {
    assert.equal(matchesTargeting(targeting, visit), evaluateTargeting(targeting, visit).holds);
  }));
});

Deno.test("a time is compared only where all other conditions of its group hold, whatever their order", () => {
  let compared = 0;
  const time: Condition = {
    kind: "time",
    get days() {
      compared++;
      return [...DAYS];
    },
    from: "00:00",
    to: "00:00",
    timeZone: "Europe/Berlin",
  };
  const path = (value: string): Condition => ({ kind: "path", match: "starts", value });
  assert.ok(!matchesTargeting([{ conditions: [time, path("/shop")] }], VISIT));
  assert.equal(compared, 0);
  assert.ok(matchesTargeting([{ conditions: [time, path("/blog")] }], VISIT));
  assert.ok(compared > 0);
});

Deno.test("the order of groups and conditions does not matter, and an added group never hides a form", () => {
  fc.assert(fc.property(targeting, visit, condition, (targeting, visit, added) => {
    const reversed = targeting.map(({ conditions }) => ({ conditions: conditions.toReversed() }))
      .toReversed();
    const { holds } = evaluateTargeting(targeting, visit);
    assert.equal(evaluateTargeting(reversed, visit).holds, holds);
    if (holds && targeting.length > 0) {
      assert.ok(evaluateTargeting([...targeting, { conditions: [added] }], visit).holds);
    }
  }));
});

Deno.test("a negated condition holds exactly where the condition does not", () => {
  fc.assert(fc.property(comparison, visit, (comparison, visit) => {
    const plain = evaluateTargeting([{ conditions: [comparison] }], visit).holds;
    const negated = evaluateTargeting([{ conditions: [{ ...comparison, not: true }] }], visit).holds;
    assert.equal(negated, !plain);
  }));
});

Deno.test("a condition with members of any type never throws", () => {
  const kinds = ["path", "query", "utm", "referrer", "width", "language", "visitor", "pages", "time"];
  const any = fc.record({
    kind: fc.constantFrom(...kinds, "cartTotal", "cartItem", "later"),
    not: fc.anything(),
    match: fc.anything(),
    name: fc.anything(),
    value: fc.anything(),
    days: fc.anything(),
    from: fc.anything(),
    to: fc.anything(),
    timeZone: fc.anything(),
  }, { requiredKeys: ["kind"] });
  const odd = fc.record({ path: fc.string(), search: fc.string(), cart: fc.anything(), now: fc.double() });
  fc.assert(fc.property(any, odd, (condition, odd) => {
    evaluateTargeting([{ conditions: [condition as Condition] }], { ...VISIT, ...odd } as Visit);
  }));
});

Deno.test("a condition that cannot be evaluated does not hold, negated or not", () => {
  const time = { kind: "time" as const, days: [...DAYS], from: "00:00", to: "00:00" };
  for (const not of [false, true]) {
    assert.ok(!holds({ ...time, timeZone: "Moon/Base", not }));
    assert.ok(!holds({ kind: "later", value: "x", not } as unknown as Condition));
  }
});

Deno.test("paths are compared by segments, with * for any one, and as text with contains", () => {
  const path = (match: "is" | "starts" | "contains", value: string, path: string) =>
    holds({ kind: "path", match, value }, { path });
  assert.ok(path("is", "/blog/*", "/blog/tea"));
  assert.ok(path("is", "/Blog/gr%C3%BCn", "/blog/Grün.html"));
  assert.ok(path("is", "/", "/"));
  assert.ok(!path("is", "/", "/blog"));
  assert.ok(!path("is", "/blog", "/blog/tea"));
  assert.ok(!path("is", "/blog/tea", "/blog"));
  assert.ok(path("starts", "/blog/*", "/blog/tea/green"));
  assert.ok(path("starts", "/blog", "/blog"));
  assert.ok(!path("starts", "/blog/*", "/blog"));
  assert.ok(!path("starts", "/blog", "/blogs"));
  assert.ok(path("contains", "Sale", "/summer-sale-2030"));
  assert.ok(path("contains", "/sale/", "/de/sale"));
  assert.ok(!path("contains", "*", "/sale"));
  assert.ok(path("contains", "%", "/100%"));
});

Deno.test("query and UTM parameters are compared without case, and any one of the same name is enough", () => {
  assert.ok(holds({ kind: "query", name: "color", match: "is", value: "blue" }));
  assert.ok(!holds({ kind: "query", name: "Color", match: "is", value: "blue" }));
  assert.ok(holds({ kind: "utm", name: "campaign", match: "is", value: "spring" }));
  assert.ok(holds({ kind: "utm", name: "campaign", match: "starts", value: "SPR" }));
  assert.ok(holds({ kind: "utm", name: "source", match: "contains", value: "ew" }));
  assert.ok(!holds({ kind: "utm", name: "medium", match: "contains", value: "" }));
  assert.ok(holds({ kind: "utm", name: "medium", match: "contains", value: "", not: true }));
});

Deno.test("a referrer includes its subdomains, and * is any one label", () => {
  for (const value of ["google.de", "www.google.de", "google.*", "GOOGLE.DE"]) {
    assert.ok(holds({ kind: "referrer", value }), value);
  }
  for (const value of ["oogle.de", "google.com", "a.www.google.de", "*.google.*.de"]) {
    assert.ok(!holds({ kind: "referrer", value }), value);
  }
  assert.ok(!holds({ kind: "referrer", value: "google.de" }, { referrer: "" }));
  assert.ok(!holds({ kind: "referrer", value: "*" }, { referrer: "" }));
});

Deno.test("width, pages and the cart's total are below a number or at least that number", () => {
  assert.ok(holds({ kind: "width", match: "below", value: 391 }));
  assert.ok(!holds({ kind: "width", match: "below", value: 390 }));
  assert.ok(holds({ kind: "width", match: "atLeast", value: 390 }));
  assert.ok(holds({ kind: "pages", match: "atLeast", value: 2 }));
  assert.ok(!holds({ kind: "pages", match: "atLeast", value: 3 }));
  assert.ok(holds({ kind: "cartTotal", match: "below", value: 50 }));
  assert.ok(holds({ kind: "cartTotal", match: "below", value: 50 }, { cart: undefined }));
  assert.ok(!holds({ kind: "cartTotal", match: "atLeast", value: 50 }));
});

Deno.test("a language includes its regions, a visitor is new or returning, and an item is found by ID or name", () => {
  assert.ok(holds({ kind: "language", value: "de" }));
  assert.ok(holds({ kind: "language", value: "de-at" }));
  assert.ok(!holds({ kind: "language", value: "de" }, { language: "den" }));
  assert.ok(!holds({ kind: "language", value: "de-AT" }, { language: "de" }));
  assert.ok(holds({ kind: "visitor", value: "returning" }));
  assert.ok(!holds({ kind: "visitor", value: "new" }));
  assert.ok(holds({ kind: "cartItem", match: "is", value: "SKU-1" }));
  assert.ok(holds({ kind: "cartItem", match: "contains", value: "tea" }));
  assert.ok(!holds({ kind: "cartItem", match: "is", value: "tea" }));
  assert.ok(!holds({ kind: "cartItem", match: "contains", value: "" }, { cart: undefined }));
});

Deno.test("hours are in the time zone of the condition, and those after midnight belong to the day before", () => {
  const time = (days: (typeof DAYS)[number][], from: string, to: string, now = VISIT.now) =>
    holds({ kind: "time", days, from, to, timeZone: "Europe/Berlin" }, { now });
  const HOUR = 3_600_000;
  assert.ok(time(["fri"], "22:30", "23:00"));
  assert.ok(!time(["fri"], "21:00", "22:30"), "the end is exclusive");
  assert.ok(!time(["thu", "sat"], "00:00", "00:00"));
  assert.ok(time(["fri"], "00:00", "00:00"));
  assert.ok(time(["fri"], "22:00", "06:00", VISIT.now + 3 * HOUR), "Saturday, 01:30");
  assert.ok(!time(["sat"], "22:00", "06:00", VISIT.now + 3 * HOUR));
  assert.ok(!time(["fri"], "22:00", "06:00", VISIT.now + 8 * HOUR));
  const sunday = VISIT.now + 48 * HOUR;
  assert.ok(time(["sun"], "20:00", "02:00", sunday + 3 * HOUR), "Monday, 01:30");
  const summer = Date.UTC(2030, 6, 5, 20, 30);
  assert.ok(time(["fri"], "22:30", "22:31", summer), "daylight saving time");
});
