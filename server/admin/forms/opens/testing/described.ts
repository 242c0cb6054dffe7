import { POPUP } from "../../../../settings/forms/all_forms.ts";
import { SettingsSchema } from "../../../../settings/schema/schema.ts";
import { siteZone } from "../../../../settings/schema/time_zone.ts";
import { checkUses } from "../checked_uses.ts";
import { describedVisit, visitFields } from "../described_visit.ts";

/** A Friday, 12:00 UTC. */
export const NOW = Date.UTC(2030, 0, 4, 12);

/** Settings as saved; the popup is on unless they say otherwise. */
type Saved = Record<string, unknown> & { popup?: Record<string, unknown> };

/** Returns settings with the popup on and, unless given, without a delay. */
export const settingsOf = ({ popup, ...settings }: Saved) =>
  SettingsSchema.parse({
    ...settings,
    popup: { enabled: true, triggers: { delaySeconds: 0 }, ...popup },
  });

/** Returns a visit to a page of shop.example at `NOW`, unless the fields say otherwise. */
export function describeVisit(settings: ReturnType<typeof settingsOf>, fields: Record<string, string>) {
  const zone = siteZone(settings);
  const sent = new URLSearchParams({ address: "https://shop.example/blog", ...fields });
  return describedVisit(visitFields(sent, NOW, zone), NOW, zone);
}

/** Checks each use of a form, or of the popup, for a visit. Undefined if the page's URL is invalid. */
export function usesOf(saved: Saved, fields: Record<string, string> = {}, name = POPUP) {
  const settings = settingsOf(saved);
  const described = describeVisit(settings, fields);
  return described && checkUses({ settings, baseUrl: "https://news.example" }, described, name);
}

/** Checks the first use of a form, or of the popup. */
export const checksOf = (...args: Parameters<typeof usesOf>) => usesOf(...args)?.at(0)?.checks;

/** Returns the rules that block the first use, with their reasons. */
export const blocksOf = (...args: Parameters<typeof usesOf>) =>
  checksOf(...args)?.flatMap(({ rule, reason }) => reason === undefined ? [] : [`${rule}: ${reason}`]);

/** Returns the explanation of a rule. */
export function explanationOf(rule: string, ...args: Parameters<typeof usesOf>) {
  return checksOf(...args)?.find((check) => check.rule === rule)?.explanation;
}

/** Returns what the result says besides. */
export function notesOf(...args: Parameters<typeof usesOf>): string[] {
  return (checksOf(...args) ?? []).flatMap(({ note }) => note ?? []);
}
