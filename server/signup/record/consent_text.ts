import { createHash } from "node:crypto";
import type { FieldValues } from "../../../shared/fields/kinds.ts";
import { type Key, readRow, typed } from "../../platform/kv/key.ts";
import { keys } from "../../platform/kv/keys.ts";
import type { FormSettings } from "../../settings/forms/form_settings.ts";
import type { FormConfig } from "../../forms/public/signed_config.ts";
import type { FieldConsent, Signup } from "./row.ts";

/** A consent text that was shown. It is kept for as long as a proof of consent may refer to it. */
export interface ConsentTextRow {
  v: 1;
  text: string;
}

/** Returns the key of a consent text, by its `consentHash`. */
export const consentTextKey = (hash: string): Key<ConsentTextRow> => typed(keys.consentText(hash));

/** Returns the SHA-256 of a consent text, base64url-encoded. */
export function consentHash(text: string): string {
  return createHash("sha256").update(text, "utf8").digest("base64url");
}

/** The consent texts that were shown, stored once each under their hash (decision 9). */
export interface ConsentTexts {
  /** Stores a text before it is shown. Returns its hash, or undefined for an empty text. */
  store(text: string): Promise<string | undefined>;
  /** Returns whether the text with this hash is stored. */
  has(hash: string): Promise<boolean>;
  /** Forgets which texts are stored, because another process may have restored a backup that lacks them. */
  refresh(): void;
}

export function createConsentTexts(kv: Deno.Kv): ConsentTexts {
  // Only a restore deletes texts, so a hash that was found needs no second read until `refresh`.
  const known = new Set<string>();
  async function has(hash: string) {
    if (!known.has(hash) && await readRow(kv, consentTextKey(hash))) known.add(hash);
    return known.has(hash);
  }
  return {
    has,
    refresh: () => known.clear(),
    async store(text) {
      if (text === "") return undefined;
      const hash = consentHash(text);
      if (!(await has(hash))) {
        await putConsentText(kv.atomic(), text).commit();
        known.add(hash);
      }
      return hash;
    },
  };
}

export function putConsentText(tx: Deno.AtomicOperation, text: string): Deno.AtomicOperation {
  return tx.set(consentTextKey(consentHash(text)), { v: 1, text } satisfies ConsentTextRow);
}

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
