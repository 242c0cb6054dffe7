import type { Clock, Random } from "../../platform/deps.ts";
import { jobKey, type JobRow, writeRow } from "../../platform/jobs/row.ts";
import { listReadable } from "../../platform/kv/bad_rows.ts";
import { cas } from "../../platform/kv/cas.ts";
import type { Entry } from "../../platform/kv/key.ts";
import { keys } from "../../platform/kv/keys.ts";
import type { AtomicOperation, Kv, KvKey } from "../../platform/kv/port.ts";
import { purgeLater } from "../../platform/kv/purge_due.ts";
import { putRecord } from "./record.ts";
import { type ConsentRow, signupKey, type SignupRecord } from "./row.ts";

/** Consent rows deleted per commit, with two mutations each. */
const CONSENTS_PER_COMMIT = 300;

/**
 * Deletes a signup with its proofs of consent and index entries, and the given jobs. A signup with many consents takes
 * several commits. The last one deletes the record, so that after a crash the next call can finish.
 *
 * @param options.jobs IDs of the jobs to delete
 * @param options.may decides in each commit, from the current record and jobs; by default, everything is deleted
 * @param options.includes deletes only consents of such times (Unix milliseconds)
 * @param options.replace called instead of deleting the record and the jobs, if the record has another consent
 * @returns whether the signup was deleted
 */
export async function eraseSignup(
  { kv, clock, random }: { kv: Kv; clock: Clock; random: Random },
  { email, list }: { email: string; list: string },
  { jobs = [], may = () => true, includes = () => true, replace }: {
    jobs?: readonly string[];
    may?: (record: SignupRecord | null, jobs: readonly (JobRow | null)[]) => boolean;
    includes?: (at: number) => boolean;
    replace?: (
      tx: AtomicOperation,
      record: SignupRecord,
      newest: ConsentRow,
      jobs: readonly Entry<JobRow>[],
    ) => void;
  } = {},
): Promise<boolean> {
  const prefix = keys.consentsOf(email, list);
  const read = { record: signupKey(email, list), jobs: jobs.map(jobKey) };
  const timeOf = (key: KvKey) => key.at(-2) as number;
  const newestKept = async () => {
    for await (const { key, value } of listReadable<ConsentRow>(kv, { prefix }, { reverse: true })) {
      if (value && !includes(timeOf(key))) return value;
    }
    return undefined;
  };

  for (;;) {
    let consents: KvKey[] = [];
    let version: string | null = null;
    let newest: ConsentRow | undefined;
    const isLast = () => consents.length < CONSENTS_PER_COMMIT;
    const isErased = await cas(
      kv,
      async () => {
        // Every commit that adds a consent changes the record, whose version must therefore be older.
        version = (await kv.get(read.record)).versionstamp;
        consents = [];
        for await (const { key } of listReadable(kv, { prefix })) {
          if (includes(timeOf(key))) consents.push(key);
          if (!isLast()) break;
        }
        if (replace) newest = await newestKept();
        return read;
      },
      ({ record: { value: before, versionstamp }, jobs }) => {
        if (versionstamp !== version) return "retry";
        const rows = jobs.map(({ value }) => value);
        if (!may(before, rows)) return { value: false };
        return {
          value: true,
          write(tx) {
            for (const key of consents) {
              const [at, id] = key.slice(-2) as [number, string];
              tx.delete(key).delete(keys.consentByTime(at, email, list, id));
            }
            if (!isLast()) return;
            purgeLater(tx, clock.now());
            if (replace && before && newest) return replace(tx, before, newest, jobs);
            putRecord(tx, before, null);
            for (const row of rows) if (row) writeRow(tx, row, null);
          },
        };
      },
      { clock, random },
    );
    if (!isErased || isLast()) return isErased;
  }
}

/**
 * Deletes everything about a signup whose record can't be read, so that its index entries are not known: searches them
 * all. Nothing newer can be lost, because such a record accepts no further signup.
 */
export async function eraseUnreadableSignup(
  { kv, clock }: { kv: Kv; clock: Clock },
  { email, list }: { email: string; list: string },
): Promise<void> {
  const entries = [keys.family("by_status"), keys.family("subscriber"), keys.consentByTimeAll()];
  for (const prefix of [keys.consentsOf(email, list), ...entries]) {
    for await (const { key } of listReadable(kv, { prefix }, { batchSize: 500 })) {
      if (key.includes(email) && key.includes(list)) await kv.delete(key);
    }
  }
  // Last, so that the next call finishes after a crash.
  const tx = kv.atomic().delete(signupKey(email, list));
  purgeLater(tx, clock.now());
  await tx.commit();
}
