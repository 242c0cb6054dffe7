import { jobKey, type JobRow, writeRow } from "../jobs/row.ts";
import { cas } from "../kv/cas.ts";
import { keys } from "../kv/keys.ts";
import type { PersonalDataDeps, PersonalDataStore } from "./personal_data.ts";

/** The erasure's own job, which needs the address until it is done. */
export const ERASE_JOB = "cfbe_erase_person";

/**
 * Jobs of any kind whose payload contains an address, in any state. It reads all jobs, so that a new kind of job is not
 * missed.
 *
 * It also deletes running jobs. Their attempts lose the lease and can write nothing more, but requests that they sent
 * to the provider may still take effect.
 */
export interface JobData extends PersonalDataStore {
  /** Deletes the jobs. `deleted` is their number, `wasRunning` whether one of them was running. */
  deleteAll(email: string): Promise<{ deleted: number; wasRunning: boolean }>;
}

export function jobData({ kv, clock, random }: PersonalDataDeps): JobData {
  async function jobsOf(email: string): Promise<JobRow[]> {
    const found: JobRow[] = [];
    for await (const { value } of kv.list<JobRow>({ prefix: keys.family("job") }, { batchSize: 500 })) {
      if (
        value.name !== ERASE_JOB && (mentions(value.payload, email) || mentions(value.next?.payload, email))
      ) {
        found.push(value);
      }
    }
    return found;
  }

  const deleteJob = (id: string) =>
    cas(kv, { job: jobKey(id) }, ({ job: { value } }) => ({
      value: value?.state,
      ...(value && { write: (tx: Deno.AtomicOperation) => writeRow(tx, value, null) }),
    }), { clock, random });

  const data: JobData = {
    name: "jobs",
    find: jobsOf,
    async deleteAll(email) {
      const states: (JobRow["state"] | undefined)[] = [];
      for (const { id } of await jobsOf(email)) states.push(await deleteJob(id));
      return { deleted: states.filter(Boolean).length, wasRunning: states.includes("running") };
    },
    erase: async (email) => (await data.deleteAll(email)).deleted,
  };
  return data;
}

function mentions(value: unknown, email: string): boolean {
  if (typeof value === "string") return value.toLowerCase() === email;
  return typeof value === "object" && value !== null &&
    Object.values(value).some((part) => mentions(part, email));
}
