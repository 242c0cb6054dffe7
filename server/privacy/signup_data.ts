import { readRow } from "../kv/key.ts";
import { keys } from "../kv/keys.ts";
import { readConsents, withoutConsent } from "../signup/record/consents.ts";
import { type ConsentWithText, withTexts } from "../signup/record/consents_with_text.ts";
import { eraseSignup } from "../signup/record/erase.ts";
import { signupKey, type SignupRecord } from "../signup/record/row.ts";
import type { PersonalDataDeps, PersonalDataStore } from "./personal_data.ts";

/** A signup with all its consent records and the texts that were shown. */
export interface SignupExport {
  record: SignupRecord | null;
  consents: ConsentWithText[];
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
      for (const list of await listsOf(email)) {
        const record = await readRow(kv, signupKey(email, list));
        const rows = (await readConsents(kv, record ?? { email, list })).toReversed();
        const consents = await withTexts(kv, rows);
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
