import { readRow } from "../../platform/kv/key.ts";
import { consentTextKey } from "../../forms/consent_texts.ts";
import type { Kv } from "../../platform/kv/port.ts";
import type { ConsentRow, FieldConsent } from "./row.ts";

/** A proof of consent with the texts that were shown. */
export type ConsentWithText = Omit<ConsentRow, "consents"> & {
  text?: string;
  consents?: (FieldConsent & { text?: string })[];
};

/** Returns proofs of consent with the texts that were shown, each text read once. */
export async function withTexts(kv: Kv, rows: readonly ConsentRow[]): Promise<ConsentWithText[]> {
  const texts = new Map<string, string | undefined>();
  async function withText<T extends { textHash?: string }>(proof: T): Promise<T & { text?: string }> {
    const hash = proof.textHash;
    if (hash === undefined) return proof;
    if (!texts.has(hash)) texts.set(hash, (await readRow(kv, consentTextKey(hash)))?.text);
    const text = texts.get(hash);
    return { ...proof, ...(text !== undefined && { text }) };
  }
  const found: ConsentWithText[] = [];
  for (const { consents, ...row } of rows) {
    const shown: ConsentWithText = await withText(row);
    if (consents) {
      shown.consents = [];
      for (const consent of consents) shown.consents.push(await withText(consent));
    }
    found.push(shown);
  }
  return found;
}
