import { sourceOf } from "../../../shared/contract.ts";
import type { PublicSettings } from "../../../shared/public_settings.ts";
import type { FormDetail } from "../types.ts";

/** Which form signs up, as the page and the server's settings have it. */
export interface Placement extends FormDetail {
  /** Signed configuration to send along. */
  cfg: string;
}

/**
 * Looks a form up in the server's settings.
 *
 * @param name what the page calls it; an unknown or absent name is the default form
 */
export function placementOf({ forms, cfg }: PublicSettings, name: string | null): Placement {
  const form = forms[name ?? ""];
  return { form: name, cfg: form?.cfg ?? cfg, source: sourceOf(form?.layout) };
}
