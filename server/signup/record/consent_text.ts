import { createHash } from "node:crypto";
import { type Key, readRow, typed } from "../../kv/key.ts";
import { keys } from "../../kv/keys.ts";
import type { FormSettings } from "../../settings/form_settings.ts";
import type { FormConfig } from "../form/signed_config.ts";
import type { Signup } from "./row.ts";

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
}

export function createConsentTexts(kv: Deno.Kv): ConsentTexts {
  // Texts are never deleted, so a hash that was found once needs no second read.
  const known = new Set<string>();
  async function has(hash: string) {
    if (!known.has(hash) && await readRow(kv, consentTextKey(hash))) known.add(hash);
    return known.has(hash);
  }
  return {
    has,
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

/**
 * Returns the proof of consent of a signup. The text is the one in the signed configuration, or else the one in the
 * form's settings, and never one from the request (contract 4.10). Writes nothing: a new text is written in the commit that
 * accepts the signup.
 *
 * @param ticked whether the visitor ticked the box; ignored if there is no consent text
 */
export async function proofOfConsent(
  { consentTexts }: { consentTexts: ConsentTexts },
  form: FormSettings,
  config: FormConfig | undefined,
  ticked: boolean,
): Promise<Pick<Signup["consent"], "given" | "textHash" | "newText" | "locale">> {
  const locale = config?.locale ?? form.locale;
  const signed = config?.consent;
  if (signed !== undefined && await consentTexts.has(signed)) {
    return { given: ticked, textHash: signed, locale };
  }
  const text = form.consentText;
  if (text === "") return { given: false, locale };
  const textHash = consentHash(text);
  const isNew = !(await consentTexts.has(textHash));
  return { given: ticked, textHash, ...(isNew && { newText: text }), locale };
}
