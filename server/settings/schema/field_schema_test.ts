import assert from "node:assert/strict";
import { formFields, MAX_FIELDS } from "./field_schema.ts";

const text = (more: object = {}) => ({ name: "company", kind: "text", label: "Company", ...more });
/** Returns the paths of what is wrong. */
const wrong = (...fields: unknown[]) =>
  (formFields.safeParse(fields).error?.issues ?? []).map(({ path }) => path.join("."));

Deno.test("fields that no form could show or store are refused, each with its place", () => {
  const cases: [unknown[], string[]][] = [
    [[text()], []],
    [[text({ min: "", max: null })], []],
    [[text(), text()], [""]],
    [[text({ name: "email" })], ["0.name"]],
    [[text({ name: "constructor" })], ["0.name"]],
    [[text({ name: "__proto__" })], ["0.name"]],
    [[text({ name: "Company" })], ["0.name"]],
    [[text({ kind: "file" })], ["0.kind"]],
    [[text({ label: "" })], ["0.label"]],
    [[text({ kind: "phone", label: "" })], []],
    [[text({ kind: "select" })], ["0.options"]],
    [[text({ kind: "select", options: ["a", "a"] })], ["0.options"]],
    [[text({ min: 5, max: 4 })], ["0.max"]],
    [[text({ max: 201 })], ["0.max"]],
    [[text({ kind: "number", min: 5 })], ["0.max"]],
    [[text({ kind: "hidden" })], ["0.key"]],
    [[text({ kind: "hidden", key: "a", required: true })], ["0.required"]],
    [[text({ kind: "hidden", from: "referrer" })], []],
    [[text({ pattern: "(a+)+$" })], ["0"]],
    [Array.from({ length: MAX_FIELDS + 1 }, (_, index) => text({ name: `f${index}` })), [""]],
    [Array.from({ length: 6 }, (_, index) => text({ name: `c${index}`, kind: "consent" })), [""]],
  ];
  for (const [fields, paths] of cases) assert.deepEqual(wrong(...fields), paths, Deno.inspect(fields[0]));
});

Deno.test("a field without a label is named in the message, which says what to do", () => {
  const messageOf = (field: object) =>
    formFields.safeParse([text({ label: "", ...field })]).error!.issues.find(({ path }) =>
      path[1] === "label"
    )!
      .message;
  assert.equal(messageOf({}), "enter a label that visitors can read for the field “company”, or remove it");
  const ofConsent = "enter the text that visitors agree to for the consent “terms”, or remove it";
  assert.equal(messageOf({ kind: "consent", name: "terms" }), ofConsent);
});
