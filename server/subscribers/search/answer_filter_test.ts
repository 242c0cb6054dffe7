import assert from "node:assert/strict";
import type { FieldValue } from "../../../shared/fields/kinds.ts";
import { type AnswerFilter, type AnswerOperator, matchesAnswer, parseAnswer } from "./answer_filter.ts";

const matches = (operator: AnswerOperator, value: string, answer: FieldValue | undefined) =>
  matchesAnswer({ field: "it", operator, value }, answer === undefined ? undefined : { it: answer });

Deno.test("an answer is found by its value, whatever its kind, the letter case and the decimal mark", () => {
  const found: [FieldValue, string][] = [
    ["Größe L", "größe l"],
    ["e\u0301", "\u00e9"],
    [4.5, "4.5"],
    [4.5, "4,5"],
    [2, "2.0"],
    [true, "Yes"],
    [["tea", "cake"], "Cake"],
    ["02-29", "02-29"],
    ["+4930231250", "+4930231250"],
  ];
  for (const [answer, value] of found) assert.ok(matches("is", value, answer), Deno.inspect([answer, value]));
  for (
    const [answer, value] of [["l", "xl"], [2, "two"], [2, "1e5"], [["tea"], "te"], [true, "no"]] as const
  ) {
    assert.ok(!matches("is", value, answer as FieldValue), Deno.inspect([answer, value]));
  }
  assert.ok(matches("contains", "ACME", "Acme Ltd") && matches("contains", "te", ["tea"]));
  assert.ok(!matches("contains", "x", "Acme Ltd"));
});

Deno.test("numbers and dates can be compared, and nothing of another kind matches", () => {
  const both = (value: string, answer: FieldValue) => [
    matches("at_least", value, answer),
    matches("at_most", value, answer),
  ];
  assert.deepEqual(both("4", 4), [true, true]);
  assert.deepEqual(both("-3,5", -4), [false, true]);
  assert.deepEqual(both("2000-07-14", "2000-07-14"), [true, true]);
  assert.deepEqual(both("2000-07-14", "1999-12-31"), [false, true]);
  assert.deepEqual(both("07-14", "12-01"), [true, false]);
  const others: [string, FieldValue][] = [["4", "4"], ["2000-07-14", "07-14"], ["07-14", 7], ["4", true]];
  for (const [value, answer] of others) assert.deepEqual(both(value, answer), [false, false], value);
});

Deno.test("people are found by whether they answered, and members that every object inherits are no answers", () => {
  assert.deepEqual([matches("answered", "", "l"), matches("unanswered", "", "l")], [true, false]);
  assert.deepEqual([matches("answered", "", undefined), matches("unanswered", "", undefined)], [false, true]);
  for (const field of ["constructor", "__proto__", "toString"]) {
    assert.ok(!matchesAnswer({ field, operator: "answered" }, { it: "l" }), field);
  }
});

Deno.test("a filter says what is missing or wrong, and without a comparison it asks for the answer, or for any", () => {
  const parsed = (field: string, operator: string, answer: string) =>
    parseAnswer({ field, operator, answer });
  const filter = (value: AnswerFilter) => ({ kind: "filter", filter: value });
  assert.deepEqual(parsed("", "", ""), { kind: "none" });
  assert.deepEqual(parsed("size", "", "l"), filter({ field: "size", operator: "is", value: "l" }));
  assert.deepEqual(parsed("size", "", ""), filter({ field: "size", operator: "answered" }));
  assert.deepEqual(parsed("size", "unanswered", "l"), filter({ field: "size", operator: "unanswered" }));
  const problems = [
    ["", "is", "", "field"],
    ["", "", "l", "field"],
    ["x".repeat(65), "", "l", "field"],
    ["size", "like", "l", "operator"],
    ["size", "is", "", "answer"],
    ["size", "contains", "\ud800", "answer"],
    ["guests", "at_least", "many", "answer"],
  ] as const;
  for (const [field, operator, answer, on] of problems) {
    const result = parsed(field, operator, answer);
    assert.ok(result.kind === "problem" && result.on === on && result.problem.endsWith("."), on);
  }
});
