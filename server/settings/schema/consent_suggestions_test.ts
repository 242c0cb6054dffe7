import assert from "node:assert/strict";
import { LOCALES } from "../../../shared/texts/locales.ts";
import { CONSENT_SUGGESTIONS } from "./consent_suggestions.ts";
import { FORM_MEMBERS } from "./form_members.ts";

Deno.test("each built-in language has a consent text to begin with, which a form may have", () => {
  assert.deepEqual(Object.keys(CONSENT_SUGGESTIONS), [...LOCALES]);
  for (const text of Object.values(CONSENT_SUGGESTIONS)) {
    assert.equal(FORM_MEMBERS.consentText.in.own.parse(text), text);
  }
});
