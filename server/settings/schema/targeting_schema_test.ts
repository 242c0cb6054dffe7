import assert from "node:assert/strict";
import { DAYS } from "../../../shared/targeting.ts";
import { CONDITION_KINDS, targeting } from "./targeting_schema.ts";

const VALID: Record<string, unknown>[] = [
  { kind: "path", match: "starts", value: " /blog/* " },
  { kind: "query", name: "color", match: "contains", value: "blue" },
  { kind: "utm", name: "campaign", match: "is", value: "spring", not: true },
  { kind: "referrer", value: "google.*" },
  { kind: "width", match: "below", value: 768 },
  { kind: "language", value: "pt-BR" },
  { kind: "visitor", value: "returning" },
  { kind: "pages", match: "atLeast", value: 3 },
  { kind: "time", days: ["mon", "fri"], from: "09:00", to: "17:30", timeZone: "Europe/Berlin" },
  { kind: "cartTotal", match: "atLeast", value: 49.5 },
  { kind: "cartItem", match: "is", value: "sku-1" },
];

/** Returns the errors of a targeting with one condition, by their path in it. */
function errorsOf(condition: unknown): Record<string, string> {
  const { error } = targeting.safeParse([{ conditions: [condition] }]);
  return Object.fromEntries(
    (error?.issues ?? []).map(({ path, message }) => [path.slice(3).join("."), message]),
  );
}

Deno.test("a condition of every kind is valid, and keeps its values", () => {
  assert.deepEqual(VALID.map(({ kind }) => kind), CONDITION_KINDS);
  const parsed = targeting.parse([{ conditions: VALID.slice(0, 6) }, {
    conditions: VALID.slice(6),
  }]);
  assert.deepEqual(
    parsed.flatMap(({ conditions }) => conditions),
    VALID.map((each) => ({ not: false, ...each, ...(each["kind"] === "path" && { value: "/blog/*" }) })),
  );
});

Deno.test("a condition that a parameter exists needs no value, and keeps none", () => {
  for (const parameter of [{ kind: "utm", name: "source" }, { kind: "query", name: "gclid" }]) {
    for (const value of [{}, { value: "" }, { value: "spring" }]) {
      assert.deepEqual(targeting.parse([{ conditions: [{ ...parameter, match: "exists", ...value }] }]), [
        { conditions: [{ ...parameter, match: "exists", value: "", not: false }] },
      ]);
    }
    assert.deepEqual(errorsOf({ ...parameter, match: "contains", value: " " }), {
      value: "must not be empty",
    });
  }
  assert.deepEqual(Object.keys(errorsOf({ kind: "cartItem", match: "exists", value: "x" })), ["match"]);
});

Deno.test("each invalid member of a condition is named with what it must be", () => {
  const invalid: [condition: Record<string, unknown>, path: string, message: RegExp][] = [
    [{ kind: "weather" }, "kind", /must be one of: path, query/],
    [{ kind: "path", match: "is", value: "blog" }, "value", /must start with \//],
    [{ kind: "path", match: "regex", value: "/(a+)+$" }, "match", /./],
    [{ kind: "cartItem", match: "is", value: "" }, "value", /must not be empty/],
    [{ kind: "cartItem", match: "is", value: "x".repeat(201) }, "value", /must be 200 characters or less/],
    [{ kind: "query", name: "", match: "is", value: "x" }, "name", /must not be empty/],
    [{ kind: "utm", name: "term", match: "is", value: "x" }, "name", /./],
    [{ kind: "referrer", value: "https://google.com/" }, "value", /must be a host such as/],
    [{ kind: "referrer", value: "*.*" }, "value", /at least one label that is not \*/],
    [{ kind: "width", match: "below", value: "" }, "value", /must be a number/],
    [{ kind: "width", match: "below", value: 1.5 }, "value", /must be a whole number/],
    [{ kind: "pages", match: "atLeast", value: -1 }, "value", /must not be negative/],
    [{ kind: "language", value: "German!" }, "value", /must be a language such as/],
    [{ kind: "visitor", value: "vip" }, "value", /./],
    [{ ...VALID[8], days: [] }, "days", /must have at least one day/],
    [{ ...VALID[8], from: "9:00" }, "from", /must be a time such as 09:00/],
    [{ ...VALID[8], to: "24:00" }, "to", /must be a time such as/],
    [{ ...VALID[8], timeZone: "Moon/Base" }, "timeZone", /must be a time zone such as/],
    [{ ...VALID[8], days: [...DAYS, "mon"] }, "days", /./],
    [{ kind: "cartTotal", match: "below", value: Infinity }, "value", /./],
    [{ ...VALID[6], script: "x" }, "", /script/],
  ];
  for (const [condition, path, message] of invalid) {
    const errors = errorsOf(condition);
    assert.deepEqual(Object.keys(errors), [path], JSON.stringify(condition));
    assert.match(errors[path]!, message);
  }
  assert.deepEqual(Object.keys(errorsOf({ ...VALID[8], from: "x", to: "y", timeZone: "" })).length, 3);
});

Deno.test("a targeting has at most 10 groups of 1 to 10 conditions", () => {
  const group = (count: number) => ({ conditions: Array(count).fill(VALID[4]) });
  const message = (value: unknown) => targeting.safeParse(value).error?.issues[0]?.message;
  assert.equal(message(Array(10).fill(group(10))), undefined);
  assert.match(message(Array(11).fill(group(1)))!, /at most 10 groups/);
  assert.match(message([group(11)])!, /at most 10 conditions/);
  assert.match(message([group(0)])!, /at least one condition/);
});
