import { cas } from "../kv/cas.ts";
import { keys } from "../kv/keys.ts";
import type { ConsentTextRow } from "../signup/consent_text.ts";
import { type ConsentRow, putRecord, type SignupRecord } from "../signup/record.ts";
import type { Holding, HoldingDeps } from "./holding.ts";

/** Consent rows that one commit deletes, with two mutations each. */
const CONSENTS_A_COMMIT = 300;

/** A signup with every proof of consent, and the texts that were shown. */
export interface SignupHeld {
  record: SignupRecord | null;
  consents: (ConsentRow & { text?: string })[];
}

export function signupsHeld({ kv, clock, random }: HoldingDeps): Holding {
  async function listsOf(email: string): Promise<Set<string>> {
    const lists = new Set<string>();
    for (const prefix of [keys.signupsOf(email), keys.consentsOfAddress(email)]) {
      for await (const { key } of kv.list({ prefix })) lists.add(key[4] as string);
    }
    return lists;
  }

  /** A part of one signup in one commit, the record with the last consent. @returns whether that was all */
  async function eraseSome(email: string, list: string): Promise<boolean> {
    const prefix = keys.consentsOf(email, list);
    const consents = await Array.fromAsync(
      kv.list({ prefix }, { limit: CONSENTS_A_COMMIT }),
      ({ key }) => key,
    );
    return await cas(kv, [keys.signup(email, list)], ([record]: [Deno.KvEntryMaybe<SignupRecord>]) => {
      const all = consents.length < CONSENTS_A_COMMIT;
      return {
        value: all,
        // A signup that comes meanwhile changes the record: this commit then fails, and begins again.
        write(tx) {
          for (const key of consents) {
            const [at, id] = key.slice(-2) as [number, string];
            tx.delete(key).delete(keys.consentByTime(at, email, list, id));
          }
          if (all) putRecord(tx, record.value, null);
        },
      };
    }, { clock, random });
  }

  return {
    name: "signups",
    async find(email) {
      const found: SignupHeld[] = [];
      const texts = new Map<string, string | undefined>();
      for (const list of await listsOf(email)) {
        const record = (await kv.get<SignupRecord>(keys.signup(email, list))).value;
        const consents: SignupHeld["consents"] = [];
        for await (const { value } of kv.list<ConsentRow>({ prefix: keys.consentsOf(email, list) })) {
          const hash = value.textHash;
          if (hash !== undefined && !texts.has(hash)) {
            texts.set(hash, (await kv.get<ConsentTextRow>(keys.consentText(hash))).value?.text);
          }
          const text = hash === undefined ? undefined : texts.get(hash);
          consents.push({ ...value, ...(text !== undefined && { text }) });
        }
        found.push({ record, consents });
      }
      return found;
    },
    async erase(email) {
      const lists = await listsOf(email);
      for (const list of lists) while (!(await eraseSome(email, list)));
      return lists.size;
    },
  };
}
