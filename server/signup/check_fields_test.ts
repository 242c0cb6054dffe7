import assert from "node:assert/strict";
import fc from "fast-check";
import { en } from "../../shared/texts/en.ts";
import { type Settings, SettingsSchema } from "../settings/schema.ts";
import { checkFields } from "./check_fields.ts";

const form = (own: Partial<Settings["form"]> = {}) => ({ ...SettingsSchema.parse({}).form, ...own });
const ada = { email: "ada@example.com" };
const named = (name: unknown, nameField: "optional" | "required" | "hidden" = "optional") =>
  checkFields({ ...ada, name }, form({ nameField }), en);

Deno.test("a name is trimmed and composed; 100 characters are counted as a reader counts them", () => {
  for (const [given, kept] of [["  Ada ", "Ada"], ["e\u0301", "é"], ["😀".repeat(100), "😀".repeat(100)]]) {
    const checked = named(given);
    assert.equal(checked.ok && checked.values.name, kept);
  }
  assert.equal(named("a".repeat(101)).ok, false);
});

Deno.test("names of people pass", () => {
  for (
    const name of [
      "St.John Smith",
      "J.R.R. Tolkien",
      "D'Arcy-Jones",
      "Nguyễn Văn A",
      "李小龍",
      "Martin Jr.",
      "محمد",
    ]
  ) assert.ok(named(name).ok, name);
});

Deno.test("names that carry control characters, turned text or web addresses are refused", () => {
  const names = [
    ...["a\nb", "a\r\nb", "a\tb", "a\0b", "a\x7fb", "a\u0085b", "a\u2028b", "a\u202eb", "a\u2066b", "\ud800"],
    ...["http://spam.example", "HTTPS://X", "see www.spam", "WWW.SPAM.DE", "spam.com", "win at Spam.Com now"],
    ...["BIT.LY/win", "bit.ly/win", "example.info!", "пример.рф", "ftp://x", "x.xn--p1ai", "you@spam.com"],
    ...[7, {}, [], true],
  ];
  for (const name of names) {
    assert.deepEqual(named(name), { ok: false, fields: { name: en.invalidName } }, Deno.inspect(name));
  }
});

Deno.test("a hidden name is ignored, whatever it is; a required one must be there", () => {
  assert.deepEqual(named("http://spam.com", "hidden"), {
    ok: true,
    values: { email: "ada@example.com", interests: [], consent: false },
  });
  for (const name of [undefined, null, "", "  "]) {
    assert.equal(named(name, "required").ok, false);
    assert.equal(named(name, "optional").ok, true);
  }
});

Deno.test("of interests the configured tags are taken, in their order and once; all else is dropped", () => {
  const interests = [{ tag: "tea", label: "Tea" }, { tag: "cake", label: "Cake" }];
  const chosen = (value: unknown) => checkFields({ ...ada, interests: value }, form({ interests }), en);
  const picked = chosen(["cake", "admin", "tea", "cake", 1, null, ["tea"]]);
  assert.deepEqual(picked.ok && picked.values.interests, ["tea", "cake"]);
  for (const none of [undefined, null, []]) assert.ok(chosen(none).ok);
  for (const wrong of ["tea", 1, {}, true]) assert.equal(chosen(wrong).ok, false);
});

Deno.test("only `true` is consent; it is demanded where it is required", () => {
  const wanted = (consent: "off" | "optional" | "required", given: unknown) => {
    const checked = checkFields({ ...ada, consent: given }, form({ consent, consentText: "Yes" }), en);
    return checked.ok && checked.values.consent;
  };
  for (const not of [undefined, null, false, "true", 1, "on", {}]) {
    assert.equal(wanted("optional", not), false);
    assert.deepEqual(checkFields({ ...ada, consent: not }, form({ consent: "required" }), en), {
      ok: false,
      fields: { consent: en.invalidConsent },
    });
  }
  assert.equal(wanted("optional", true), true);
  assert.equal(wanted("required", true), true);
});

Deno.test("any body at all is either taken or told what to mend, and nothing throws", () => {
  const settings = form({ nameField: "required", consent: "required", consentText: "Yes" });
  fc.assert(fc.property(fc.dictionary(fc.string(), fc.anything()), fc.anything(), (body, name) => {
    const checked = checkFields({ ...body, name }, settings, en);
    if (!checked.ok) assert.ok(Object.keys(checked.fields).length > 0);
  }));
});
