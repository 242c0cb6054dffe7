import { createHash } from "node:crypto";
import { keys } from "../kv/keys.ts";
import type { Words } from "../settings/words.ts";
import type { FormConfig } from "./form_config.ts";
import type { ConsentRow } from "./record.ts";

/** A consent text as it was once shown, kept for as long as a record may point at it. */
export interface ConsentTextRow {
  v: 1;
  text: string;
}

export function consentHash(text: string): string {
  return createHash("sha256").update(text, "utf8").digest("base64url");
}

/** Texts of consent that visitors saw, each kept once, by hash (decisions §3). */
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
    if (!known.has(hash) && (await kv.get(keys.consentText(hash))).value !== null) known.add(hash);
    return known.has(hash);
  }
  return {
    has,
    async keep(text) {
      if (text === "") return undefined;
      const hash = consentHash(text);
      if (!(await has(hash))) {
        await kv.set(keys.consentText(hash), { v: 1, text } satisfies ConsentTextRow);
        known.add(hash);
      }
      return hash;
    },
  };
}

/**
 * What goes into the consent record: the text this visitor saw, by the signed configuration where it names one,
 * else the one configured now. Never by the request itself (contract §2.1, rule 1).
 */
export async function consentSeen(
  { consentTexts }: { consentTexts: ConsentTexts },
  words: Words,
  config: FormConfig | undefined,
  given: boolean,
): Promise<Pick<ConsentRow, "given" | "textHash" | "locale">> {
  const signed = config?.consent;
  const textHash = signed !== undefined && await consentTexts.has(signed)
    ? signed
    : await consentTexts.keep(words.consentText);
  return { given, ...(textHash !== undefined && { textHash }), locale: config?.locale ?? words.locale };
}
