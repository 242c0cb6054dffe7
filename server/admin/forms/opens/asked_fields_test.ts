import { POPUP } from "../../../settings/forms/all_forms.ts";
import assert from "node:assert/strict";
import { askedFields } from "./asked_fields.ts";
import { NOW, settingsOf } from "./testing/described.ts";

const asked = (saved: Parameters<typeof settingsOf>[0], name = POPUP) =>
  [...askedFields(settingsOf(saved), name, NOW).fields].sort().join(" ");
const OPENING = "days device memory moment storage time";
const group = (condition: object) => [{ conditions: [condition] }];

Deno.test("a check asks only for what a rule of the form depends on", () => {
  const forms = (form: object, more: object[] = []) => ({
    popup: { enabled: false },
    forms: { forms: [{ name: "sale", ...form }, ...more] },
  });
  assert.equal(asked(forms({}), "sale"), "has");
  assert.equal(asked(forms({ schedule: { from: "2030-01-01T09:00" } }), "sale"), "has time");
  assert.equal(asked(forms({ layout: "promo" }), "sale"), "days has memory storage time");
  const language = { targeting: group({ kind: "language", value: "de" }) };
  assert.equal(asked(forms(language), "sale"), "has language");
  assert.equal(
    asked(forms({ targeting: group({ kind: "width", match: "below", value: 768 }) }), "sale"),
    "device has width",
  );
  assert.equal(asked({}), OPENING);
  const triggers = { delaySeconds: 5, scrollPercent: 5, seenSelector: "#a", clickSelector: "#b" };
  assert.equal(
    asked({ popup: { triggers } }),
    "clicked days device memory moment scrolled seconds seen storage time",
  );
});

Deno.test("a check asks for what the rules of other forms depend on, because they may open first", () => {
  const targeting = group({ kind: "cartTotal", match: "atLeast", value: 50 });
  const other = { name: "sale", opens: { kind: "slide-in", triggers: { delaySeconds: 0 }, targeting } };
  const saved = { forms: { forms: [other] } };
  assert.equal(asked(saved), "days device hours memory moment others storage time total");
  assert.equal(asked({ forms: { forms: [{ ...other, status: "paused" }] } }), OPENING);
});
