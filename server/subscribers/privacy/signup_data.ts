import { addJob } from "../../platform/jobs/add.ts";
import type { JobRow } from "../../platform/jobs/row.ts";
import { listReadable, orIfUnreadable, readReadable } from "../../platform/kv/bad_rows.ts";
import type { Entry } from "../../platform/kv/key.ts";
import { keys } from "../../platform/kv/keys.ts";
import type { AtomicOperation } from "../../platform/kv/port.ts";
import { deliverJob, deliverJobId } from "../../signup/delivery/job.ts";
import { readConsents, withoutConsent } from "../../signup/record/consents.ts";
import { type ConsentWithText, withTexts } from "../../signup/record/consents_with_text.ts";
import { eraseSignup, eraseUnreadableSignup } from "../../signup/record/erase.ts";
import { putRecord } from "../../signup/record/record.ts";
import { type ConsentRow, signupKey, type SignupRecord } from "../../signup/record/row.ts";
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
      for await (const { key } of listReadable(kv, { prefix })) lists.add(key[4] as string);
    }
    return lists;
  }

  /**
   * Replaces a record that a newer signup was merged into by one of that signup alone. Its name, tags and values can't be
   * told from the older ones.
   */
  function replaceBySignup(
    tx: AtomicOperation,
    before: SignupRecord,
    { id, at, source, form }: ConsentRow,
    [delivery]: readonly Entry<JobRow>[],
  ): void {
    const { email, list, provider } = before;
    putRecord(tx, before, {
      ...{ v: 2, email, list, ...(provider !== undefined && { provider }) },
      ...{ status: "queued", since: at, tags: [], source, ...(form !== undefined && { form }) },
      ...{ createdAt: at, updatedAt: at },
    });
    const now = clock.now();
    addJob(tx, delivery!, { ...deliverJob({ email, list }, { id, source, at }), due: now }, now);
  }

  /** Reads the signups, each with its proofs of consent, newest first. */
  async function read(email: string) {
    const found: { record: SignupRecord | null; consents: ConsentRow[] }[] = [];
    for (const list of await listsOf(email)) {
      const [record = null] = await readReadable(kv, [signupKey(email, list)]);
      found.push({ record, consents: await readConsents(kv, record ?? { email, list }) });
    }
    return found;
  }

  return {
    name: "signups",
    async find(email) {
      const found: SignupExport[] = [];
      for (const { record, consents } of await read(email)) {
        const texts = await withTexts(kv, consents.toReversed());
        found.push({ record: record && withoutConsent(record), consents: texts });
      }
      return found;
    },
    async times(email) {
      return (await read(email)).flatMap(({ record, consents }) => [
        ...(record ? [record.createdAt] : []),
        ...consents.map(({ at }) => at),
      ]);
    },
    async erase(email, includes) {
      let erased = 0;
      for (const list of await listsOf(email)) {
        const erasure = eraseSignup({ kv, clock, random }, { email, list }, {
          jobs: [deliverJobId({ email, list })],
          includes,
          may: (record) => record === null || includes(record.createdAt),
          replace: replaceBySignup,
        });
        const isErased = await orIfUnreadable(erasure, async () => {
          await eraseUnreadableSignup({ kv, clock }, { email, list });
          return true;
        });
        if (isErased) erased++;
      }
      return erased;
    },
  };
}
