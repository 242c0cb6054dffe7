import assert from "node:assert/strict";
import { SettingsSchema } from "../../settings/schema/schema.ts";
import { type ShownAs, shownAs, type ShownState, shownStateOf, stateText } from "./form_state_text.ts";

/** The sentence without and with unpublished changes. */
const TABLE: [ShownAs, ShownState, string, string][] = [
  [
    "placed",
    "live",
    "Pages with its snippet show the form.",
    "Pages with its snippet show the form, without the unpublished changes.",
  ],
  [
    "placed",
    "draft",
    "No page shows the form until you publish it.",
    "No page shows the form until you publish it.",
  ],
  [
    "placed",
    "paused",
    "No page shows the form until you resume it.",
    "No page shows the form until you resume it, and then without the unpublished changes.",
  ],
  [
    "placed",
    "scheduled",
    "No page shows the form before its schedule starts.",
    "No page shows the form before its schedule starts, and then without the unpublished changes.",
  ],
  [
    "placed",
    "ended",
    "No page shows the form, because its schedule has ended.",
    "No page shows the form, because its schedule has ended; publishing does not change that.",
  ],
  [
    "opening",
    "live",
    "The form opens by itself on pages with the script.",
    "The form opens by itself on pages with the script, without the unpublished changes.",
  ],
  [
    "opening",
    "draft",
    "No page shows the form until you publish it.",
    "No page shows the form until you publish it.",
  ],
  [
    "popup",
    "live",
    "The popup opens by itself on pages with the script.",
    "The popup opens by itself on pages with the script, without the unpublished changes.",
  ],
  [
    "popup",
    "scheduled",
    "The popup does not open by itself before its schedule starts.",
    "The popup does not open by itself before its schedule starts, and then without the unpublished changes.",
  ],
  [
    "popup",
    "ended",
    "The popup does not open by itself, because its schedule has ended.",
    "The popup does not open by itself, because its schedule has ended; publishing does not change that.",
  ],
  [
    "popup",
    "button",
    "The popup opens only from your own buttons.",
    "The popup opens only from your own buttons, without the unpublished changes.",
  ],
];

Deno.test("what is said about a form is true of each status, with and without unpublished changes", () => {
  for (const [as, state, without, withDraft] of TABLE) {
    assert.equal(stateText(as, state), without);
    assert.equal(stateText(as, state, state), withDraft);
  }
});

Deno.test("what is said about a form that is off follows from the status and the schedule that its unpublished changes have", () => {
  assert.equal(
    stateText("placed", "paused", "live"),
    "No page shows the form until you publish it, or resume it without the unpublished changes.",
  );
  assert.equal(
    stateText("placed", "ended", "live"),
    "No page shows the form, because its schedule has ended.",
  );
});

Deno.test("the popup opens only from buttons unless it shows automatically, whatever its schedule", () => {
  const settings = SettingsSchema.parse({
    forms: { forms: [{ name: "footer" }, { name: "sale", opens: { kind: "slide-in" } }] },
    popup: { enabled: false, schedule: { until: "2001-02-03T10:30" } },
  });
  const { forms: { forms: [footer, sale] }, popup } = settings;
  const now = Date.parse("2026-12-31T23:30:00Z");
  const textOf = (form: typeof popup | NonNullable<typeof footer>) =>
    `${shownAs(form)} ${shownStateOf(settings, form, now)}`;
  assert.deepEqual([footer!, sale!, popup].map(textOf), ["placed live", "opening live", "popup button"]);
  assert.equal(textOf({ ...popup, enabled: true }), "popup ended");
});
