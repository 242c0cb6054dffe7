import assert from "node:assert/strict";
import type { OpeningKind } from "../../../shared/opening_kinds.ts";
import type { Targeting } from "../../../shared/targeting.ts";
import { type PartialSettings, SettingsSchema } from "../../settings/schema/schema.ts";
import { utcOffsets } from "../../settings/schema/utc_offsets.ts";
import { openingForms, publicOpening, publicRules, publicTargeting } from "./public_opens.ts";

const NOW = Date.UTC(2030, 0, 4, 12);
const opens = { kind: "slide-in" } as const;
type PopupTriggers = NonNullable<PartialSettings["popup"]>["triggers"];
const parse = (settings: PartialSettings) => SettingsSchema.parse(settings);

Deno.test("a form opens by itself only if its settings say so, with the popup's default rules", () => {
  const settings = parse({
    forms: { forms: [{ name: "footer" }, { name: "9", opens }, { name: "1", opens }] },
  });
  assert.deepEqual(publicOpening(settings, settings.forms.forms[1]!.opens!, NOW), {
    kind: "slide-in",
    triggers: { delaySeconds: 20, scrollPercent: 0, exitIntent: false },
    hideDays: 30,
    cookieBarSelector: "",
    excludePaths: [],
    quietHours: 24,
  });
  assert.deepEqual(openingForms(settings), ["9", "1"], "in the order of the settings, whatever their names");
});

Deno.test("a page learns the corner only of a slide-in and the width only of a popup, if it is not the standard one", () => {
  const looksOf = (kind: OpeningKind, look: object) => {
    const settings = parse({ forms: { forms: [{ name: "sale", opens: { kind, ...look } }] } });
    const { corner, width } = publicOpening(settings, settings.forms.forms[0]!.opens!, NOW);
    return { ...(corner && { corner }), ...(width && { width }) };
  };
  const look = { corner: "start", width: "wide" };
  assert.deepEqual(looksOf("slide-in", look), { corner: "start" });
  assert.deepEqual(looksOf("popup", look), { width: "wide" });
  assert.deepEqual(looksOf("bar-top", look), {});
  assert.deepEqual(looksOf("slide-in", {}), {});
});

Deno.test("inactivity, a seen element and a click are apart from the other triggers, and absent while they are off", () => {
  const triggersOf = (triggers: PopupTriggers) => {
    const settings = parse({ popup: { enabled: true, triggers } });
    return publicRules(settings, settings.popup, NOW).triggers;
  };
  const others = { delaySeconds: 0, scrollPercent: 0, exitIntent: false };
  assert.deepEqual(
    triggersOf({ ...others, inactiveSeconds: 0, seenSelector: "", clickSelector: "" }),
    others,
  );
  assert.deepEqual(triggersOf({ ...others, clickSelector: ".offer a" }), {
    ...others,
    more: { clickSelector: ".offer a" },
  });
  const more = { inactiveSeconds: 30, seenSelector: "#reviews", clickSelector: "#more" };
  assert.deepEqual(triggersOf({ ...others, ...more }), { ...others, more });
});

Deno.test("a trigger's selector that could block a page is refused", () => {
  for (const member of ["seenSelector", "clickSelector"]) {
    const parsed = SettingsSchema.safeParse({ popup: { triggers: { [member]: ":has(:has(b))" } } });
    assert.deepEqual(parsed.error?.issues.map(({ path }) => path.join(".")), [`popup.triggers.${member}`]);
  }
});

Deno.test("the quiet period is public if several forms open by themselves, and otherwise part of hideDays", () => {
  const rules = (popup: PartialSettings["popup"], forms: PartialSettings["forms"] = {}) => {
    const settings = parse({ popup: { enabled: true, ...popup }, forms });
    const { hideDays, quietHours } = publicRules(settings, settings.popup, NOW);
    return [hideDays, quietHours];
  };
  const others = { forms: [{ name: "side", opens }] };
  assert.deepEqual(rules({}), [30, undefined]);
  assert.deepEqual(rules({ hideDays: 1, quietHours: 36 }), [1.5, undefined]);
  assert.deepEqual(rules({ hideDays: 1, quietHours: 36 }, others), [1, 36]);
  assert.deepEqual(rules({ quietHours: 0 }, others), [30, undefined]);
});

Deno.test("times of the targeting have the offsets of the site's time zone, unless they name another", () => {
  const time = { kind: "time" as const, days: ["mon" as const], from: "09:00", to: "17:00" };
  const settings = parse({
    general: { timeZone: "Asia/Tokyo" },
    popup: { targeting: [{ conditions: [time, { ...time, timeZone: "Europe/Berlin" }] }] },
  });
  const [group] = publicRules(settings, settings.popup, NOW).targeting!;
  assert.deepEqual(group!.conditions, [
    { ...time, not: false, timeZone: "Asia/Tokyo", offsets: utcOffsets("Asia/Tokyo", NOW) },
    { ...time, not: false, timeZone: "Europe/Berlin", offsets: utcOffsets("Europe/Berlin", NOW) },
  ]);
});

Deno.test("a form's targeting where a page has it is public while it has a group, apart from that for opening by itself", () => {
  const path = (
    value: string,
  ) => [{ conditions: [{ kind: "path" as const, match: "starts" as const, value }] }];
  const settings = parse({
    forms: {
      forms: [{ name: "all" }, {
        name: "some",
        targeting: path("/blog"),
        opens: { ...opens, targeting: path("/tea") },
      }],
    },
  });
  const [all, some] = settings.forms.forms;
  const valueOf = (targeting?: Targeting) =>
    targeting?.flatMap(({ conditions }) => conditions).map((each) => "value" in each && each.value);
  assert.deepEqual(publicTargeting(settings, all!, NOW), {});
  assert.deepEqual(valueOf(publicTargeting(settings, some!, NOW).targeting), ["/blog"]);
  assert.deepEqual(valueOf(publicOpening(settings, some!.opens!, NOW).targeting), ["/tea"]);
});
