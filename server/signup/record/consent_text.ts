import { createHash } from "node:crypto";
import { type Key, readRow, typed } from "../../kv/key.ts";
import { keys } from "../../kv/keys.ts";
import type { Words } from "../../settings/words.ts";
import type { FormConfig } from "../form/signed_config.ts";
import type { Signup } from "./row.ts";

/** A consent text as it was once shown, kept for as long as a record may point at it. */
export interface ConsentTextRow {
  v: 1;
  text: string;
}

/** Returns the key of the text with a hash; see `consentHash`. */
export const consentTextKey = (hash: string): Key<ConsentTextRow> => typed(keys.consentText(hash));

export function consentHash(text: string): string {
  return createHash("sha256").update(text, "utf8").digest("base64url");
}

/** Texts of consent that visitors saw, each kept once, by hash (decision 9). */
export interface ConsentTexts {
  /** Keep a text before it is shown. @returns its hash, or undefined for no text at all */
  keep(text: string): Promise<string | undefined>;
  /** Whether a hash is of a text that was kept. */
  has(hash: string): Promise<boolean>;
}

export function createConsentTexts(kv: Deno.Kv): ConsentTexts {
  // Texts are never deleted, so what this process has seen once needs no second read.
  const known = new Set<string>();
  async function has(hash: string) {
    if (!known.has(hash) && await readRow(kv, consentTextKey(hash))) known.add(hash);
    return known.has(hash);
  }
  return {
    has,
    async keep(text) {
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
 * What goes into the consent record: the text this visitor saw, by the signed configuration where it names one,
 * else the one configured now. Never by the request itself (contract 4.10). Writes nothing: the text, if
 * it is new, goes into the commit that accepts the signup.
 *
 * @param ticked what the visitor did; without a text there was nothing to agree to
 */
export async function proofOfConsent(
  { consentTexts }: { consentTexts: ConsentTexts },
  words: Words,
  config: FormConfig | undefined,
  ticked: boolean,
): Promise<Pick<Signup["consent"], "given" | "textHash" | "newText" | "locale">> {
  const locale = config?.locale ?? words.locale;
  const signed = config?.consent;
  if (signed !== undefined && await consentTexts.has(signed)) {
    return { given: ticked, textHash: signed, locale };
  }
  const text = words.consentText;
  if (text === "") return { given: false, locale };
  const textHash = consentHash(text);
  const isNew = !(await consentTexts.has(textHash));
  return { given: ticked, textHash, ...(isNew && { newText: text }), locale };
}
