import assert from "node:assert/strict";
import { POPUP } from "./all_forms.ts";
import { SettingsSchema } from "../schema/schema.ts";
import { mixingChanges } from "./running_changes.ts";

const VARIANTS = [{ id: "a", name: "As it is" }, { id: "b", name: "Short", overrides: { heading: "News" } }];
const FIELDS = [
  { name: "city", kind: "text" as const, label: "City" },
  { name: "shoe", kind: "number" as const, label: "Shoe size" },
];

/** Returns the settings of a form and the popup with values of their own, and with an experiment in a state. */
const settings = (own: object = {}, { state = "running", id = "x1", form = {}, popup = {} } = {}) =>
  SettingsSchema.parse({
    form,
    forms: {
      forms: [{ name: "footer", ...own, experiment: { id, state, variants: VARIANTS } }, { name: "other" }],
    },
    popup,
  });

Deno.test("what visitors see of a form must not change while its experiment is running", () => {
  const members = (after: object, before: object = {}) =>
    mixingChanges(settings(before), settings(after))[0]?.members;
  assert.deepEqual(members({ heading: "New" }), ["heading"]);
  assert.deepEqual(members({ design: { accent: "#7c2d12" }, consent: "required" }), ["consent", "design"]);
  assert.deepEqual(members({ opens: { kind: "popup" } }), ["opens"]);
  assert.deepEqual(members({ fields: FIELDS.toReversed() }, { fields: FIELDS }), ["fields"]);
  const german = { locales: { de: { forms: [{ name: "footer", heading: "Hallo" }] } } };
  assert.deepEqual(mixingChanges(settings(), settings({}, { form: german })), [
    { form: "footer", members: ["locales.de"] },
  ]);
});

Deno.test("a form's list, tags and status can change while its experiment is running, and everything when it is not", () => {
  const unseen = {
    list: "65f0",
    tags: ["vip"],
    attribution: true,
    status: "paused",
    schedule: { until: "2999-12-01T09:00" },
  };
  assert.deepEqual(mixingChanges(settings(), settings(unseen)), []);
  for (const state of ["draft", "stopped"]) {
    assert.deepEqual(mixingChanges(settings({}, { state }), settings({ heading: "New" }, { state })), []);
  }
  assert.deepEqual(mixingChanges(settings(), settings({ heading: "New" }, { state: "stopped" })), []);
  assert.deepEqual(mixingChanges(settings(), settings({ heading: "New" }, { id: "x2" })), []);
  assert.deepEqual(mixingChanges(settings(), settings({}, { popup: { heading: "Wait" } })), []);
});

Deno.test("the popup must not change while its experiment is running, but can be turned off", () => {
  const popup = { enabled: true, experiment: { id: "p1", state: "running", variants: VARIANTS } };
  const change = (after: object) =>
    mixingChanges(settings({}, { popup }), settings({}, { popup: { ...popup, ...after } }));
  assert.deepEqual(change({ heading: "Wait" }), [{ form: POPUP, members: ["heading"] }]);
  assert.deepEqual(change({ enabled: false, list: "65f0" }), []);
});

Deno.test("the variants of a running experiment keep their weights and what they show, also if a script saves all forms", () => {
  const change = (variants: object[]) => {
    const popup = { experiment: { id: "p1", state: "running", variants: VARIANTS } };
    const after = { experiment: { ...popup.experiment, variants } };
    return mixingChanges(settings({}, { popup }), settings({}, { popup: after }));
  };
  const [a, b] = VARIANTS;
  assert.deepEqual(change([a!, { ...b!, weight: 3 }]), [{ form: POPUP, members: ["experiment"] }]);
  assert.deepEqual(change([a!, { ...b!, overrides: { heading: "Other" } }]), [{
    form: POPUP,
    members: ["experiment"],
  }]);
  assert.deepEqual(change([a!, b!, { id: "c", name: "C" }]), [{ form: POPUP, members: ["experiment"] }]);
  assert.deepEqual(change([a!, { ...b!, name: "Shorter" }]), [], "its name is only for you");
});
