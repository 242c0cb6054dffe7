import assert from "node:assert/strict";
import { type PartialSettings, SettingsSchema } from "../../settings/schema.ts";
import { openingForms, publicOpens, publicRules } from "./public_opens.ts";

const opens = { kind: "slide-in" } as const;
const parse = (settings: PartialSettings) => SettingsSchema.parse(settings);

Deno.test("a form opens by itself only if its settings say so, with the popup's default rules", () => {
  const settings = parse({
    forms: { forms: [{ name: "footer" }, { name: "9", opens }, { name: "1", opens }] },
  });
  const [footer, nine] = settings.forms.forms;
  assert.deepEqual(publicOpens(settings, footer!), {});
  assert.deepEqual(publicOpens(settings, nine!).opens, {
    kind: "slide-in",
    triggers: { delaySeconds: 20, scrollPercent: 0, exitIntent: false },
    hideDays: 30,
    cookieBarSelector: "",
    excludePaths: [],
    quietHours: 24,
  });
  assert.deepEqual(openingForms(settings), ["9", "1"], "in the order of the settings, whatever their names");
});

Deno.test("the quiet period is public only where it can keep a form closed", () => {
  const quietHours = (popup: PartialSettings["popup"], forms: PartialSettings["forms"] = {}) => {
    const settings = parse({ popup: { enabled: true, ...popup }, forms });
    return publicRules(settings, settings.popup).quietHours;
  };
  const others = { forms: [{ name: "side", opens }] };
  assert.equal(quietHours({}), undefined, "the popup is alone, and hidden for 30 days after it was closed");
  assert.equal(quietHours({ hideDays: 1, quietHours: 25 }), 25);
  assert.equal(quietHours({}, others), 24);
  assert.equal(quietHours({ quietHours: 0 }, others), undefined);
});

Deno.test("times of the targeting are in the site's time zone unless they name another", () => {
  const time = { kind: "time" as const, days: ["mon" as const], from: "09:00", to: "17:00" };
  const settings = parse({
    general: { timeZone: "Asia/Tokyo" },
    popup: { targeting: [{ conditions: [time, { ...time, timeZone: "Europe/Berlin" }] }] },
  });
  const [group] = publicRules(settings, settings.popup).targeting!;
  assert.deepEqual(group!.conditions.map((condition) => condition.kind === "time" && condition.timeZone), [
    "Asia/Tokyo",
    "Europe/Berlin",
  ]);
});
