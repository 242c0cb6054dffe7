import type { FieldValues } from "../../../shared/fields/kinds.ts";
import { consentHash, type ConsentTexts } from "../../forms/consent_texts.ts";
import type { FormConfig } from "../../forms/public/signed_config.ts";
import type { FormSettings } from "../../settings/forms/form_settings.ts";
import type { FieldConsent, Signup } from "./row.ts";

/** What a visitor answered to the consents of a form. */
export interface ConsentAnswers {
  /** Whether the form's own box was ticked; ignored if there is no consent text. */
  consent: boolean;
  /** Values of the form's fields, of which some are consents. */
  fields: FieldValues;
}

/**
 * Returns the proof of consent of a signup. The texts are those in the signed configuration, or else those in the form's
 * settings, and never one from a visitor's request (contract 4.10). Writes nothing: new texts are written in the commit that
 * accepts the signup.
 */
export async function proofOfConsent(
  { consentTexts }: { consentTexts: ConsentTexts },
  form: FormSettings,
  config: FormConfig | undefined,
  answers: ConsentAnswers,
): Promise<Pick<Signup["consent"], "given" | "textHash" | "newTexts" | "locale" | "consents">> {
  const newTexts: string[] = [];
  /** Returns the hash of the text that was shown; undefined if there was none. */
  async function shownHash(signed: string | undefined, text: string): Promise<string | undefined> {
    if (signed !== undefined && await consentTexts.has(signed)) return signed;
    if (text === "") return undefined;
    const hash = consentHash(text);
    if (!(await consentTexts.has(hash))) newTexts.push(text);
    return hash;
  }

  const textHash = await shownHash(config?.consent, form.consentText);
  const consents: FieldConsent[] = [];
  for (const { kind, name, label } of form.fields) {
    if (kind !== "consent") continue;
    const signed = config?.consents && Object.hasOwn(config.consents, name)
      ? config.consents[name]
      : undefined;
    const hash = await shownHash(signed, label);
    if (hash !== undefined) {
      consents.push({ field: name, given: answers.fields[name] === true, textHash: hash });
    }
  }
  return {
    given: textHash !== undefined && answers.consent,
    ...(textHash !== undefined && { textHash }),
    ...(newTexts.length > 0 && { newTexts }),
    ...(consents.length > 0 && { consents }),
    locale: config?.locale ?? form.locale,
  };
}
