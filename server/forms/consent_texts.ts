import { type Key, readRow, typed } from "../platform/kv/key.ts";
import { keys } from "../platform/kv/keys.ts";
import type { AtomicOperation, Kv } from "../platform/kv/port.ts";
import { sha256 } from "../platform/keys/sha256.ts";

/** A consent text that was shown. It is kept for as long as a proof of consent may refer to it. */
export interface ConsentTextRow {
  v: 1;
  text: string;
}

/** Returns the key of a consent text, by its `consentHash`. */
export const consentTextKey = (hash: string): Key<ConsentTextRow> => typed(keys.consentText(hash));

/** Returns the SHA-256 of a consent text, base64url-encoded. */
export function consentHash(text: string): string {
  return sha256(text);
}

/** The consent texts that were shown, stored once each under their hash (decision 9). */
export interface ConsentTexts {
  /** Stores a text before it is shown. Returns its hash, or undefined for an empty text. */
  store(text: string): Promise<string | undefined>;
  /** Returns whether the text with this hash is stored. */
  has(hash: string): Promise<boolean>;
  /** Forgets which texts are stored: a backup that was restored may lack them. */
  forget(): void;
}

export function createConsentTexts(kv: Kv): ConsentTexts {
  // Only a restore deletes texts, so a hash that was found needs no second read until `forget`.
  const known = new Set<string>();
  async function has(hash: string) {
    if (!known.has(hash) && await readRow(kv, consentTextKey(hash))) known.add(hash);
    return known.has(hash);
  }
  return {
    has,
    forget: () => known.clear(),
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

export function putConsentText(tx: AtomicOperation, text: string): AtomicOperation {
  return tx.set(consentTextKey(consentHash(text)), { v: 1, text } satisfies ConsentTextRow);
}
