import type { Clock, Random } from "../../deps.ts";
import { jobKey, type JobRow, writeRow } from "../../jobs/row.ts";
import { cas } from "../../kv/cas.ts";
import { keys } from "../../kv/keys.ts";
import { purgeLater } from "../../kv/purge_due.ts";
import { putRecord } from "./record.ts";
import { signupKey, type SignupRecord } from "./row.ts";

/** Consent rows that one commit deletes, with two mutations each. */
const CONSENTS_A_COMMIT = 300;

/**
 * Deletes a signup with its proofs of consent and every index entry, and the jobs that are named. Signups with many
 * consents take several commits, the record in the last one: a process that dies in between leaves a record that the
 * next call deletes.
 *
 * @param may decides inside each commit, from the record and the jobs as they are then; absent, everything may go
 * @returns whether the signup was deleted
 */
export async function eraseSignup(
  { kv, clock, random }: { kv: Deno.Kv; clock: Clock; random: Random },
  { email, list }: { email: string; list: string },
  { jobs = [], may = () => true }: {
    jobs?: readonly string[];
    may?: (record: SignupRecord | null, jobs: readonly (JobRow | null)[]) => boolean;
  } = {},
): Promise<boolean> {
  const prefix = keys.consentsOf(email, list);
  for (;;) {
    const consents = await Array.fromAsync(
      kv.list({ prefix }, { limit: CONSENTS_A_COMMIT }),
      ({ key }) => key,
    );
    const isLast = consents.length < CONSENTS_A_COMMIT;
    const isErased = await cas(
      kv,
      { record: signupKey(email, list), jobs: jobs.map(jobKey) },
      ({ record: { value: before }, jobs }) => {
        const held = jobs.map(({ value }) => value);
        if (!may(before, held)) return { value: false };
        return {
          value: true,
          // A signup that comes meanwhile changes the record: this commit then fails, and begins again.
          write(tx) {
            for (const key of consents) {
              const [at, id] = key.slice(-2) as [number, string];
              tx.delete(key).delete(keys.consentByTime(at, email, list, id));
            }
            if (!isLast) return;
            putRecord(tx, before, null);
            purgeLater(tx, clock.now());
            for (const row of held) if (row) writeRow(tx, row, null);
          },
        };
      },
      { clock, random },
    );
    if (!isErased || isLast) return isErased;
  }
}
