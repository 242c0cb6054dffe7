import type { Settings } from "../schema/schema.ts";
import { siteZone } from "../schema/time_zone.ts";
import { minuteStart } from "../schema/utc_offsets.ts";

type Form = Pick<Settings["forms"]["forms"][number], "status" | "schedule">;

/** Whether pages show a form, and if not, why. */
export type FormState = "live" | "draft" | "paused" | "scheduled" | "ended";

/**
 * Returns whether pages show a form at a time.
 *
 * @param now Unix milliseconds
 * @param zone time zone of the schedule (IANA name)
 */
export function stateOfForm({ status, schedule }: Form, now: number, zone: string): FormState {
  if (status) return status;
  const { from, until } = schedule ?? {};
  // Compared as times, because clocks show some minutes twice when daylight saving time ends.
  if (until && now >= minuteStart(until, zone)!) return "ended";
  return from && now < minuteStart(from, zone)! ? "scheduled" : "live";
}

/** Returns whether a form is public: pages may still show one that was paused, or whose time is over. */
export function isPublished(settings: Settings, form: Form, now: number): boolean {
  const state = stateOfForm(form, now, siteZone(settings));
  return state !== "draft" && state !== "scheduled";
}

/**
 * Returns the settings as they apply at a time: forms that are off do not open by themselves, and neither does the popup
 * outside of its schedule.
 *
 * @param now Unix milliseconds
 * @returns also the names of the forms that are off
 */
export function settingsAt(
  settings: Settings,
  now: number,
): { settings: Settings; off: ReadonlySet<string> } {
  const zone = siteZone(settings);
  const { forms: { forms }, popup } = settings;
  const off = new Set(
    forms.filter((form) => stateOfForm(form, now, zone) !== "live").map(({ name }) => name),
  );
  const popupIsOff = popup.enabled && stateOfForm(popup, now, zone) !== "live";
  if (off.size === 0 && !popupIsOff) return { settings, off };
  const key = JSON.stringify([popupIsOff, ...off]);
  let known = cache.get(settings);
  if (known?.key !== key) {
    const shown = forms.map((form) => off.has(form.name) ? { ...form, opens: undefined } : form);
    const applied = {
      ...settings,
      forms: { forms: shown },
      ...(popupIsOff && { popup: { ...popup, enabled: false } }),
    };
    cache.set(settings, known = { key, applied });
  }
  return { settings: known.applied, off };
}

/**
 * Returns the settings with every form live. A preview shows a draft or a paused form as pages will show it.
 *
 * @param name of the only form that becomes live
 */
export function allLive({ forms: { forms }, ...settings }: Settings, name?: string): Settings {
  const live = (form: Settings["forms"]["forms"][number]) =>
    name === undefined || form.name === name ? { ...form, status: undefined, schedule: undefined } : form;
  return { ...settings, forms: { forms: forms.map(live) } };
}

/** The last result for each settings, because what is read from settings is cached by their object. */
const cache = new WeakMap<Settings, { key: string; applied: Settings }>();
