import { formNames, formOf, formTitle, POPUP } from "../../../settings/forms/all_forms.ts";
import { unreadLinks } from "../../../../shared/consent_text.ts";
import { type FormId, knownLocales, settingsOfForm } from "../../../settings/forms/form_settings.ts";
import { fewNames } from "../../../platform/words/few_names.ts";
import type { Settings } from "../../../settings/schema/schema.ts";

const CONSENT = {
  off: "no consent checkbox",
  optional: "an optional consent checkbox",
  required: "a required consent checkbox",
};

/**
 * Returns a sentence about the forms whose consent checkbox differs from that of one form, or undefined if all agree.
 * The default form counts only without named forms, and the popup only if it shows automatically.
 */
export function consentDifference(settings: Settings, id: FormId): string | undefined {
  const consentOf = (name: string | undefined) => settingsOfForm(settings, { name }, []).consent;
  const titleOf = (name: string | undefined) =>
    name === undefined ? "the default form" : formTitle(settings, name);
  const { forms: { forms }, popup } = settings;
  const shown: (string | undefined)[] = formNames(settings).filter((name) => name !== POPUP || popup.enabled);
  const others = [...(forms.length > 0 ? [] : [undefined]), ...shown].filter((name) => name !== id.name);
  const own = consentOf(id.name);
  const different = (["required", "optional", "off"] as const)
    .filter((consent) => consent !== own)
    .map((consent) => [consent, others.filter((name) => consentOf(name) === consent)] as const)
    .filter(([, names]) => names.length > 0)
    .map(([consent, names]) =>
      `${fewNames(names.map(titleOf), "other forms")} ${names.length === 1 ? "has" : "have"} ${
        CONSENT[consent]
      }`
    );
  if (different.length === 0) return undefined;
  return `${id.name === POPUP ? "The popup" : "This form"} has ${CONSENT[own]}, but ${
    different.join(", and ")
  }. Check that this is what you want.`;
}

/** Returns whether a form has a consent text of its own that visitors don't see, because it has no checkbox. */
export const hasUnseenConsentText = (settings: Settings, id: FormId): boolean =>
  Boolean(formOf(settings, id.name)?.consentText) && settingsOfForm(settings, id, []).consent === "off";

/** Returns the parts of a form's consent texts, in any language, that look like links but are shown as text. */
export function unreadConsentLinks(settings: Settings, id: FormId): string[] {
  return knownLocales(settings).flatMap((locale) =>
    unreadLinks(settingsOfForm(settings, id, [locale]).consentText)
  );
}
