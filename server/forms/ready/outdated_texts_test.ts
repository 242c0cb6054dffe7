import assert from "node:assert/strict";
import { type PartialSettings, SettingsSchema } from "../../settings/schema/schema.ts";
import { formFromReady } from "./ready_forms.ts";
import { outdatedTexts } from "./outdated_texts.ts";
import type { ReadyFormId } from "./ready_texts.ts";

/** Returns what is outdated in German of a ready form with another original, or other German texts. */
function outdated(
  ready: ReadyFormId,
  form: object,
  german: object = {},
  { locale = "de", ...made }: { locale?: string; main?: string; code?: string } = {},
) {
  const base = SettingsSchema.parse({});
  const club = formFromReady(base, ready, { name: "club", title: "Club", now: 0, ...made });
  const forms = [{ name: "club", ...club.texts[locale], ...german }];
  const settings = SettingsSchema.parse(
    {
      forms: { forms: [{ ...club.form, ...form }] },
      form: { locales: { [locale]: { texts: {}, forms } } },
    } as PartialSettings,
  );
  return outdatedTexts(settings, { name: "club" }, locale);
}

Deno.test("a translation is outdated while it is the ready form's, and the original is not the ready form's in any language", () => {
  assert.deepEqual(outdated("waitlist", {}), [], "as it was made");
  assert.deepEqual(outdated("waitlist", {}, {}, { main: "sv" }), []);
  const changed = { heading: "Be the first" };
  assert.deepEqual(outdated("waitlist", changed), [{ name: "heading", original: "Be the first" }]);
  assert.deepEqual(outdated("waitlist", changed, { heading: "Seien Sie dabei" }), [], "translated again");
  assert.deepEqual(outdated("waitlist", { heading: "Inscrivez-vous" }, {}, { locale: "en", main: "fr" }), [
    { name: "heading", original: "Inscrivez-vous" },
  ]);
  const removed = { text: undefined, button: "" };
  assert.deepEqual(outdated("waitlist", removed).map(({ name, original }) => [name, original]), [
    ["text", ""],
    ["button", ""],
  ]);
  assert.deepEqual(outdated("two-step-popup", { texts: { next: "Sure" } }), [
    { name: "next", original: "Sure" },
  ]);
  assert.deepEqual(outdated("event", { button: "Join us" }, {}, { locale: "eu" }), [], "not in the gallery");
});

Deno.test("a confirmed translation is outdated again once the original says something else", () => {
  const kept = { confirmedFor: { heading: "Be the first" } };
  assert.deepEqual(outdated("waitlist", { heading: "Be the first" }, kept), []);
  assert.equal(outdated("waitlist", { heading: "Be the second" }, kept).length, 1);
});

Deno.test("a translation with a code is outdated once the original says no code, or another one", () => {
  const said = (successHeading: string) =>
    outdated("coupon-popup", { texts: { successHeading } }, {}, { code: "TEA10" });
  assert.deepEqual(said("Your code: TEA10"), []);
  assert.deepEqual(said("Votre code : TEA10"), []);
  for (const original of ["Your code: TEA20", "Use TEA20 at the checkout"]) {
    assert.deepEqual(said(original), [{ name: "successHeading", original }]);
  }
});
