import { sourceOf } from "../../../shared/contract.ts";
import type { PublicSettings } from "../../../shared/public_settings.ts";
import type { FormDetail } from "../types.ts";

/** Which form signs up, as the page and the server's settings have it. */
export interface Placement extends FormDetail {
  /** Signed configuration to send along. */
  cfg: string;
  /** The page names a form that the settings don't have. Its signups go to the default list. */
  unknown: boolean;
}

/** Tells the page's author of a form that the settings don't have. */
export const warnOfUnknown = (name: string | null): void =>
  console.warn(`[cfbe] form="${name}" is not on the page Forms of the admin`);

/**
 * Looks a form up in the server's settings.
 *
 * @param name what the page calls it; an unknown or absent name is the default form
 */
export function placementOf({ forms, cfg }: PublicSettings, name: string | null): Placement {
  const form = forms[name ?? ""];
  // Every object has a `constructor`, which has no `cfg`.
  return { form: name, cfg: form?.cfg ?? cfg, source: sourceOf(form?.layout), unknown: !!name && !form?.cfg };
}
