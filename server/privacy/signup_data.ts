import { readRow } from "../kv/key.ts";
import { keys } from "../kv/keys.ts";
import { readConsents, withoutConsent } from "../signup/record/consents.ts";
import { consentTextKey } from "../signup/record/consent_text.ts";
import { eraseSignup } from "../signup/record/erase.ts";
import { type ConsentRow, signupKey, type SignupRecord } from "../signup/record/row.ts";
import type { PersonalDataDeps, PersonalDataStore } from "./personal_data.ts";

/** A signup with all its consent records and the texts that were shown. */
export interface SignupExport {
  record: SignupRecord | null;
  consents: (ConsentRow & { text?: string })[];
}

export function signupData({ kv, clock, random }: PersonalDataDeps): PersonalDataStore {
  async function listsOf(email: string): Promise<Set<string>> {
    const lists = new Set<string>();
    for (const prefix of [keys.signupsOf(email), keys.consentsOfAddress(email)]) {
      for await (const { key } of kv.list({ prefix })) lists.add(key[4] as string);
    }
    return lists;
  }

  return {
    name: "signups",
    async find(email) {
      const found: SignupExport[] = [];
      const texts = new Map<string, string | undefined>();
      for (const list of await listsOf(email)) {
        const record = await readRow(kv, signupKey(email, list));
        const consents: SignupExport["consents"] = [];
        for (const consent of (await readConsents(kv, record ?? { email, list })).toReversed()) {
          const hash = consent.textHash;
          if (hash !== undefined && !texts.has(hash)) {
            texts.set(hash, (await readRow(kv, consentTextKey(hash)))?.text);
          }
          const text = hash === undefined ? undefined : texts.get(hash);
          consents.push({ ...consent, ...(text !== undefined && { text }) });
        }
        found.push({ record: record && withoutConsent(record), consents });
      }
      return found;
    },
    async erase(email) {
      const lists = await listsOf(email);
      for (const list of lists) await eraseSignup({ kv, clock, random }, { email, list });
      return lists.size;
    },
  };
}
