import { jobKey, type JobRow, writeRow } from "../../platform/jobs/row.ts";
import { listReadable } from "../../platform/kv/bad_rows.ts";
import { cas } from "../../platform/kv/cas.ts";
import { readRow } from "../../platform/kv/key.ts";
import { keys } from "../../platform/kv/keys.ts";
import { isFarAhead } from "../../platform/time/stored_time.ts";
import type { Markers } from "../../shops/mail/markers.ts";
import type { ErasedRow } from "../../signup/record/erased_row.ts";
import { signupKey } from "../../signup/record/row.ts";
import type { Includes, PersonalDataDeps, PersonalDataStore } from "./personal_data.ts";

/** After this time, requests whose results are unknown have taken effect at a provider or failed. */
const SETTLED_AFTER_MS = 60_000;
/** Work that runs during an erasure has ended after this time. */
export const ERASED_KEPT = { expireIn: 7 * 24 * 60 * 60 * 1000 };

/** The erasure's own job, which needs the address until it is done. */
export const ERASE_JOB = "cfbe_erase_person";

/**
 * Jobs of any kind whose payload contains an address, in any state. It reads all jobs, so that a new kind of job is not
 * missed.
 *
 * It also deletes running jobs. Their attempts lose the lease and can write nothing more, but requests that they sent
 * to a provider may still take effect. So may those of an earlier attempt whose result is unknown, although its job
 * waits. When they no longer can is stored in the same commit, for all jobs of the erasure.
 */
export interface JobData extends Pick<PersonalDataStore, "name" | "find" | "times"> {
  /**
   * Deletes the jobs that the erasure includes, and those of signups that no longer exist.
   *
   * @param requestedAt when the erasure was requested, Unix milliseconds
   * @returns their number
   */
  deleteAll(email: string, requestedAt: number, includes: Includes): Promise<number>;
  /** Returns when requests of deleted jobs can no longer take effect, Unix milliseconds; 0 if none can. */
  settledAt(email: string): Promise<number>;
}

export function jobData({ kv, clock, random, markers }: PersonalDataDeps & { markers: Markers }): JobData {
  const erasedKey = (email: string) => markers.erased(markers.person(email));

  async function jobsOf(email: string): Promise<JobRow[]> {
    return (await Array.fromAsync(allJobs())).flatMap(({ value }) =>
      value && isAbout(value, email) ? [value] : []
    );
  }

  const allJobs = () => listReadable<JobRow | null>(kv, { prefix: keys.family("job") }, { batchSize: 500 });

  /** Deletes the jobs that can't be read and have the address in their ID. Nothing can run them. @returns how many */
  async function deleteUnreadable(email: string): Promise<number> {
    let deleted = 0;
    for await (const { key, value } of allJobs()) {
      if (value || !String(key.at(-1)).endsWith(`:${email}`)) continue;
      await kv.delete(key);
      deleted++;
    }
    return deleted;
  }

  /** @returns the number of deleted jobs */
  function deleteJob({ id, payload }: JobRow, email: string, requestedAt: number, includes: Includes) {
    const list = listIn(payload);
    const read = {
      job: jobKey(id),
      erased: erasedKey(email),
      signup: list === undefined ? undefined : signupKey(email, list),
    };
    return cas(kv, read, ({ job: { value: job }, erased, signup }) => {
      if (!job) return { value: 0 };
      // Work on an older signup, which ran meanwhile, may have added it.
      const isOrphan = signup !== undefined && signup.value === null;
      if (!includes(job.createdAt) && !isOrphan) return { value: 0 };
      return {
        value: 1,
        write(tx) {
          writeRow(tx, job, null);
          if (job.state !== "running" && !job.unknown) return;
          const now = clock.now();
          const row = {
            v: 1,
            at: requestedAt,
            ...erased.value,
            settledAt: now + SETTLED_AFTER_MS,
          } satisfies ErasedRow;
          tx.set(erased.key, row, ERASED_KEPT);
        },
      };
    }, { clock, random });
  }

  return {
    name: "jobs",
    find: jobsOf,
    times: async (email) => (await jobsOf(email)).map(({ createdAt }) => createdAt),
    async deleteAll(email, requestedAt, includes) {
      let deleted = await deleteUnreadable(email);
      for (const job of await jobsOf(email)) deleted += await deleteJob(job, email, requestedAt, includes);
      return deleted;
    },
    async settledAt(email) {
      const { settledAt = 0 } = await readRow(kv, erasedKey(email)) ?? {};
      return isFarAhead(settledAt, clock.now(), SETTLED_AFTER_MS) ? 0 : settledAt;
    },
  };
}

/** Returns the list of the signup that a job is about, if it is about one. */
function listIn(payload: unknown): string | undefined {
  const { list } = (payload ?? {}) as { list?: unknown };
  return typeof list === "string" ? list : undefined;
}

function isAbout({ name, payload, next }: JobRow, email: string): boolean {
  return name !== ERASE_JOB && (mentions(payload, email) || mentions(next?.payload, email));
}

function mentions(value: unknown, email: string): boolean {
  if (typeof value === "string") return value.toLowerCase() === email;
  return typeof value === "object" && value !== null &&
    Object.values(value).some((part) => mentions(part, email));
}
