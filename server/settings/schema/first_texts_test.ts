import assert from "node:assert/strict";
import { LOCALES } from "../../../shared/texts/locales.ts";
import { formFields } from "./field_schema.ts";
import { FIRST_TEXTS } from "./first_texts.ts";
import { FORM_MEMBERS } from "./form_members.ts";

Deno.test("each built-in language has a consent text to begin with, which a form may have", () => {
  assert.deepEqual(Object.keys(FIRST_TEXTS.consent), [...LOCALES]);
  for (const text of Object.values(FIRST_TEXTS.consent)) {
    assert.equal(FORM_MEMBERS.consentText.in.own.parse(text), text);
  }
});

Deno.test("each built-in language has a word for a birthday to begin with, which a field may have", () => {
  assert.deepEqual(Object.keys(FIRST_TEXTS.birthday), [...LOCALES]);
  for (const label of Object.values(FIRST_TEXTS.birthday)) {
    assert.equal(formFields.parse([{ name: "birthday", kind: "date", label }])[0]!.label, label);
  }
});
