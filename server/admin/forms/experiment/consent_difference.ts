import { type FormId, settingsOfForm } from "../../../settings/forms/form_settings.ts";
import type { Settings } from "../../../settings/schema/schema.ts";

const LIST = new Intl.ListFormat("en");
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
  const consentOf = (each: FormId) => settingsOfForm(settings, each, []).consent;
  const { forms: { forms }, popup } = settings;
  const named = forms.map(({ name }) => ({ title: name, id: { name } as FormId }));
  const others = [
    ...(named.length > 0 ? named : [{ title: "the default form", id: {} }]),
    ...(popup.enabled ? [{ title: "the popup", id: { popup: true } }] : []),
  ].filter(({ id: other }) => other.name !== id.name || other.popup !== id.popup);
  const own = consentOf(id);
  const different = (["required", "optional", "off"] as const)
    .filter((consent) => consent !== own)
    .map((consent) => [consent, others.filter((other) => consentOf(other.id) === consent)] as const)
    .filter(([, forms]) => forms.length > 0)
    .map(([consent, forms]) =>
      `${LIST.format(forms.map(({ title }) => title))} ${forms.length === 1 ? "has" : "have"} ${
        CONSENT[consent]
      }`
    );
  if (different.length === 0) return undefined;
  return `${id.popup ? "The popup" : "This form"} has ${CONSENT[own]}, but ${
    different.join(", and ")
  }. Check that this is what you want.`;
}
