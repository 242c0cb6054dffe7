import { sourceOf } from "../../../shared/contract.ts";
import type { PublicForm, PublicSettings } from "../../../shared/public_settings.ts";
import type { FormDetail } from "../types.ts";

/** A form, as configured by the page and the server's settings. `cfg` is sent as `cfbe_cfg`. */
export interface Placement
  extends
    PublicSettings,
    Pick<PublicForm, "heading" | "text" | "button" | "steps" | "countdown" | "off" | "targeting" | "opens">,
    FormDetail {
  /** Whether the form's name is not in the settings. Its signups then go to the default list. */
  unknown: boolean;
}

/** Returns a warning for the developer of the page about a form that is not in the settings. */
export const unknownFormWarning = (name: string | null): string =>
  `[cfbe] unknown form="${name}": add it in the admin`;

/**
 * Looks up a form in the settings. What the form does not have of its own is that of the default form.
 *
 * @param name the form's name in the markup; unknown and absent names return the default form
 */
export function placementOf(settings: PublicSettings, name: string | null): Placement {
  const form = settings.forms[name ?? ""];
  // Checks `cfg`, because `forms["constructor"]` exists on every object.
  return {
    ...settings,
    ...form,
    texts: { ...settings.texts, ...form?.texts },
    form: name,
    source: sourceOf(form?.layout),
    unknown: !!name && !form?.cfg,
  };
}
