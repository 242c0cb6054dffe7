import assert from "node:assert/strict";
import { SettingsSchema } from "../schema/schema.ts";
import { allForms, formNames, formOf, opensOf, POPUP } from "./all_forms.ts";

Deno.test("no form of a site can have the popup's name", () => {
  const named = (name: string) => SettingsSchema.safeParse({ forms: { forms: [{ name }] } }).success;
  assert.deepEqual([named("popup"), named(POPUP)], [true, false]);
});

Deno.test("the popup is among the forms of a site, beside a form that is named popup", () => {
  const settings = SettingsSchema.parse({
    forms: { forms: [{ name: "popup", heading: "Form" }] },
    popup: { heading: "Popup" },
  });
  assert.deepEqual(formNames(settings), ["popup", POPUP]);
  assert.deepEqual(allForms(settings).map(({ heading }) => heading), ["Form", "Popup"]);
  assert.deepEqual(
    ["popup", POPUP, "gone", undefined].map((name) => formOf(settings, name)?.heading),
    ["Form", "Popup", undefined, undefined],
  );
});

Deno.test("the popup opens by itself with its rules, and a popup that is off does not", () => {
  const popup = { triggers: { delaySeconds: 5 }, hideDays: 3, width: "wide" };
  const opens = (enabled: boolean) =>
    opensOf(formOf(SettingsSchema.parse({ popup: { ...popup, enabled } }), POPUP));
  assert.equal(opens(false), undefined);
  const { kind, width, hideDays, triggers } = opens(true)!;
  assert.deepEqual([kind, width, hideDays, triggers.delaySeconds], ["popup", "wide", 3, 5]);
});
