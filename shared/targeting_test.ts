import assert from "node:assert/strict";
import fc from "fast-check";
import {
  type Condition,
  DAYS,
  evaluateTargeting,
  NUMBER_MATCHES,
  PARAMETER_MATCHES,
  type Targeting,
  TEXT_MATCHES,
  type UtcOffset,
  UTM_TARGETS,
  type Visit,
} from "./targeting.ts";
import { holds, VISIT } from "./testing/visit.ts";

const text = fc.oneof(fc.string(), fc.constantFrom("/blog", "*", "/blog/*", "tea", "%", "", "de", "news"));
const textMatch = fc.constantFrom(...TEXT_MATCHES);
const parameterMatch = fc.constantFrom(...PARAMETER_MATCHES);
const numberMatch = fc.constantFrom(...NUMBER_MATCHES);
const number = fc.oneof(fc.nat(2000), fc.double());
const HOUR = 3_600_000;
/** Of zones with and without daylight saving time. */
const OFFSETS: UtcOffset[][] = [
  [[0, 0]],
  [[0, HOUR], [2e12, 2 * HOUR], [4e12, HOUR]],
  [[0, -3.5 * HOUR], [3e12, -2.5 * HOUR]],
  [[0, 14 * HOUR]],
];
const comparison = fc.oneof(
  fc.record({ kind: fc.constant("path" as const), match: textMatch, value: text }),
  fc.record({ kind: fc.constant("query" as const), name: text, match: parameterMatch, value: text }),
  fc.record({
    kind: fc.constant("utm" as const),
    name: fc.constantFrom(...UTM_TARGETS),
    match: parameterMatch,
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
    timeZone: fc.constant("Europe/Berlin"),
    offsets: fc.constantFrom(...OFFSETS),
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
  utm: fc.oneof(fc.string(), fc.constantFrom("", VISIT.utm)),
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
    offsets: fc.anything(),
  }, { requiredKeys: ["kind"] });
  const odd = fc.record({ path: fc.string(), search: fc.string(), cart: fc.anything(), now: fc.double() });
  fc.assert(fc.property(any, odd, (condition, odd) => {
    evaluateTargeting([{ conditions: [condition as Condition] }], { ...VISIT, ...odd } as Visit);
  }));
});

Deno.test("a condition that cannot be evaluated does not hold, negated or not", () => {
  const time = { kind: "time", days: [...DAYS], from: "00:00", to: "00:00", timeZone: "Europe/Berlin" };
  for (const not of [false, true]) {
    for (const offsets of [undefined, [], [[VISIT.now + 1, 0]], [[0, NaN]]]) {
      assert.ok(!holds({ ...time, offsets, not } as Condition));
    }
    assert.ok(!holds({ kind: "later", value: "x", not } as unknown as Condition));
  }
});
