import assert from "node:assert/strict";
import fc from "fast-check";
import { en } from "../texts/en.ts";
import { FIELD_KIND_NAMES, type FieldKind, type FormField } from "./kinds.ts";
import { validateFields } from "./validate.ts";

const IN_ENGLISH = { locale: "en", texts: en.form };
const OPTIONS = [{ value: "s", label: "Small" }, { value: "l", label: "Large" }];
const field = (kind: FieldKind, more: Partial<FormField> = {}): FormField => ({
  name: "it",
  kind,
  label: "It",
  options: OPTIONS,
  ...more,
});
/** Returns the normalized value, or the error message. */
function check(fieldOrKind: FormField | FieldKind, value: unknown): unknown {
  const one = typeof fieldOrKind === "string" ? field(fieldOrKind) : fieldOrKind;
  const checked = validateFields([one], { it: value }, IN_ENGLISH);
  return checked.ok ? checked.values["it"] : checked.errors["it"];
}
const text = (min: number, max: number) =>
  en.form.invalidText.replace("{min}", String(min)).replace("{max}", String(max));

Deno.test("numbers in messages are written as in the form's language", () => {
  const one = field("number", { min: 0.5, max: 10_000 });
  const messageIn = (locale: string) => {
    const texts = { ...en.form, outOfRange: "{min}|{max}" };
    const checked = validateFields([one], { it: "20000" }, { locale, texts });
    return checked.ok ? undefined : checked.errors["it"];
  };
  assert.equal(messageIn("en"), "0.5|10,000");
  assert.equal(messageIn("de"), "0,5|10.000");
});

Deno.test("every kind normalizes its values, also those of an HTML form, which are in lists", () => {
  const cases: [FieldKind, unknown, unknown][] = [
    ["firstName", "  Ada ", "Ada"],
    ["lastName", ["e\u0301"], "é"],
    ["text", 42, "42"],
    ["number", "4.5", 4.5],
    ["number", -3, -3],
    ["number", "4,5", 4.5],
    ["number", "-0,125", -0.125],
    ["number", "1.000", 1],
    ["number", "٤٢,٥", 42.5],
    ["date", "2024-02-29", "2024-02-29"],
    ["phone", "0049 (30) 231-250", "+4930231250"],
    ["phone", "+۴۹ ۳۰ ۲۳۱۲۵۰", "+4930231250"],
    ["phone", "+44 (0)20 7946 0958", "+442079460958"],
    ["phone", "(020) 7946 0958", "02079460958"],
    ["country", "DE", "DE"],
    ["select", "s", "s"],
    ["radio", ["l"], "l"],
    ["multiSelect", ["l", "s", "l", "other"], ["s", "l"]],
    ["checkbox", "on", true],
    ["consent", true, true],
    ["hidden", "spring sale", "spring sale"],
  ];
  for (const [kind, given, expected] of cases) assert.deepEqual(check(kind, given), expected, kind);
  assert.deepEqual(new Set(cases.map(([kind]) => kind)), new Set(FIELD_KIND_NAMES));
});

Deno.test("every kind reports what is wrong, and hidden fields leave it out", () => {
  const cases: [FieldKind | FormField, unknown, unknown][] = [
    ["firstName", "visit spam.example/now", text(1, 200)],
    ["text", "a".repeat(201), text(1, 200)],
    ["text", "a\nb", text(1, 200)],
    [field("text", { min: 3, max: 5 }), "ab", text(3, 5)],
    [field("text", { characters: "digits" }), "12a", text(1, 200)],
    [field("text", { characters: "letters" }), "R2D2", text(1, 200)],
    ["number", "1e5", en.form.invalidNumber],
    ["number", "seven", en.form.invalidNumber],
    ["number", "1,000", en.form.invalidNumber],
    ["number", "-12,345", en.form.invalidNumber],
    ["number", "1,234,5", en.form.invalidNumber],
    ["number", "\0", en.form.invalidNumber],
    ["date", "\0", en.form.invalidDate],
    [field("number", { min: 1, max: 10 }), 11, "Please enter a number from 1 to 10."],
    ["date", "2023-02-29", en.form.invalidDate],
    ["date", "07-14", en.form.invalidDate],
    ["date", "1492-01-01", en.form.invalidDate],
    ["date", [{ toString: 1 }], en.form.invalidDate],
    ["checkbox", { toString: 1 }, undefined],
    [field("date", { withoutYear: true }), "02-30", en.form.invalidDate],
    [field("date", { withoutYear: true }), ["07", ""], en.form.invalidDate],
    [field("date", { withoutYear: true }), ["07-", "14"], "07-14"],
    [field("date", { withoutYear: true }), ["14", "07-"], "07-14"],
    [field("date", { withoutYear: true }), ["14", "07"], en.form.invalidDate],
    [field("date", { withoutYear: true }), ["07-", "07-"], en.form.invalidDate],
    [field("date", { withoutYear: true }), ["07-", ""], en.form.invalidDate],
    ["phone", "call me", en.form.invalidPhone],
    ["phone", "1234", en.form.invalidPhone],
    ["country", "ZZ", en.form.invalidInterests],
    ["select", "xl", en.form.invalidInterests],
    ["radio", {}, en.form.invalidInterests],
    ["multiSelect", ["xl"], en.form.invalidInterests],
    ["hidden", "a\u0000b", undefined],
    ["hidden", "win at spam。com", undefined],
    ["hidden", "203.0.113.9", undefined],
    ["hidden", { toString: 1 }, undefined],
  ];
  for (const [kind, given, expected] of cases) {
    assert.equal(check(kind, given), expected, Deno.inspect([kind, given]));
  }
});

Deno.test("a birthday needs no year, and February 29 is one", () => {
  const birthday = field("date", { withoutYear: true });
  for (const given of ["02-29", ["02", "29"]]) assert.equal(check(birthday, given), "02-29");
});

Deno.test("an empty value is missing only where the field is required", () => {
  for (const kind of FIELD_KIND_NAMES) {
    for (const empty of [undefined, null, "", [], [""]]) {
      assert.equal(check(kind, empty), undefined, kind);
      const message = kind === "checkbox" || kind === "consent"
        ? en.form.invalidConsent
        : ["country", "select", "radio", "multiSelect"].includes(kind)
        ? en.form.invalidInterests
        : en.form.missing;
      if (kind !== "hidden") assert.equal(check(field(kind, { required: true }), empty), message, kind);
    }
  }
  assert.equal(check(field("consent", { required: true }), false), en.form.invalidConsent);
});

Deno.test("values of unknown fields and of other types are ignored, and members that every object inherits are not values", () => {
  for (const given of [undefined, null, 7, "it", [], { other: "x" }]) {
    assert.deepEqual(validateFields([field("text")], given, IN_ENGLISH), { ok: true, values: {} });
  }
  const named = { ...field("text"), name: "constructor" };
  assert.deepEqual(validateFields([named], {}, IN_ENGLISH), { ok: true, values: {} });
});

Deno.test("whatever is sent, validation returns, and what it accepted it accepts again unchanged", () => {
  const anyField = fc.constantFrom(...FIELD_KIND_NAMES).chain((kind) =>
    fc.record({ required: fc.boolean(), withoutYear: fc.boolean() }).map((more) => field(kind, more))
  );
  fc.assert(fc.property(anyField, fc.anything(), (one, given) => {
    const checked = validateFields([one], { it: given }, IN_ENGLISH);
    if (checked.ok) assert.deepEqual(validateFields([one], checked.values, IN_ENGLISH), checked);
  }));
});

Deno.test("a hidden field for the linking page keeps the site's origin, and no other text", () => {
  const field = { name: "ref", kind: "hidden", from: "referrer", label: "From" } as const;
  const valueOf = (ref: unknown) => {
    const checked = validateFields([field], { ref }, IN_ENGLISH);
    return checked.ok ? checked.values["ref"] : assert.fail("a visitor can't correct it");
  };
  assert.equal(valueOf("https://news.example"), "https://news.example");
  assert.equal(valueOf("https://news.example/item?id=7#top"), "https://news.example");
  assert.equal(valueOf("http://127.0.0.1:8000/"), "http://127.0.0.1:8000");
  assert.equal(valueOf("https://[::1]:8000"), "https://[::1]:8000");
  for (
    const text of [
      "You won! Claim at https://evil.example/x",
      "https://evil.example you won",
      "https://user:pass@evil.example",
      "https://you won.example",
      "javascript:alert(1)",
      "evil.example",
      "null",
      7,
    ]
  ) assert.equal(valueOf(text), undefined, String(text));
});
