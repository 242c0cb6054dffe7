/** What the widget needs to know about forms that open by themselves, and about the targeting of all forms. */
import { KIND_OF_LOOK, type OpeningLooks } from "../../../shared/opening_kinds.ts";
import type { MoreTriggers, PopupRules, PublicOpening } from "../../../shared/public_settings.ts";
import type { Targeting } from "../../../shared/targeting.ts";
import {
  formOf,
  type OpeningRules,
  type Opens,
  opensOf,
  POPUP,
  rulesIn,
} from "../../settings/forms/all_forms.ts";
import type { Settings } from "../../settings/schema/schema.ts";
import { siteZone } from "../../settings/schema/time_zone.ts";
import { utcOffsets } from "../../settings/schema/utc_offsets.ts";

type Form = Settings["forms"]["forms"][number];

/** Returns the names of the forms that open by themselves, in order of priority: the popup, then the others. */
export function openingForms(settings: Settings): string[] {
  const named = settings.forms.forms.map(({ name }) => name);
  return [POPUP, ...named].filter((name) => opensOf(formOf(settings, name)));
}

/** Returns how a named form opens by itself. */
export function publicOpening(settings: Settings, opens: Opens, now: number): PublicOpening {
  const { kind } = opens;
  const looks = Object.entries(KIND_OF_LOOK).filter(([, its]) => its === kind)
    .map(([look]) => [look, opens[look as keyof OpeningLooks]]).filter(([, value]) => value);
  return { kind, ...Object.fromEntries(looks) as OpeningLooks, ...publicRules(settings, opens, now) };
}

/** Returns the targeting of a form where a page has it; nothing if it is meant for all pages and visitors. */
export function publicTargeting(
  settings: Settings,
  { targeting }: Pick<Form, "targeting">,
  now: number,
): { targeting?: Targeting } {
  return targeting.length > 0 ? { targeting: withOffsets(targeting, siteZone(settings), now) } : {};
}

/**
 * Returns the rules of a form that opens by itself. A rule is public as it is in the settings, unless it is named here: only
 * members that matter are set, because pages load them.
 */
export function publicRules(settings: Settings, rules: OpeningRules, now: number): PopupRules {
  const { triggers, hideDays, targeting, ...others } = rulesIn(rules);
  const { quietHours } = settings.popup;
  const isAlone = openingForms(settings).length === 1;
  return {
    triggers: publicTriggers(triggers),
    // A form that is alone needs no quiet period.
    hideDays: isAlone ? Math.max(hideDays, quietHours / 24) : hideDays,
    ...others,
    ...publicTargeting(settings, { targeting }, now),
    ...(!isAlone && quietHours > 0 && { quietHours }),
  };
}

/** Returns the triggers. Those that have code of their own are apart, so that a page knows whether to load it. */
function publicTriggers(
  { inactiveSeconds, seenSelector, clickSelector, ...triggers }: OpeningRules["triggers"],
): PopupRules["triggers"] {
  const more: MoreTriggers = {
    ...(inactiveSeconds > 0 && { inactiveSeconds }),
    ...(seenSelector !== "" && { seenSelector }),
    ...(clickSelector !== "" && { clickSelector }),
  };
  return { ...triggers, ...(Object.keys(more).length > 0 && { more }) };
}

/** Returns a targeting whose times have a time zone with its offsets. Those without one are in the site's. */
function withOffsets(targeting: Form["targeting"], zone: string, now: number): Targeting {
  return targeting.map(({ conditions }) => ({
    conditions: conditions.map((condition) => {
      if (condition.kind !== "time") return condition;
      const { timeZone = zone } = condition;
      return { ...condition, timeZone, offsets: utcOffsets(timeZone, now) };
    }),
  }));
}
