import { jobKey, type JobRow, writeRow } from "../jobs/row.ts";
import { cas } from "../kv/cas.ts";
import { keys } from "../kv/keys.ts";
import type { Holding, HoldingDeps } from "./holding.ts";

/** The erasure itself must know whom it is about, until it is done. */
export const ERASE_JOB = "cfbe_erase_person";

/**
 * Jobs that are about an address, whatever they are called: those that wait, run, or lie in the dead list. All jobs
 * are read for it: they are what is under way, and one of a kind that nobody thought of here must not be missed.
 *
 * A running one is deleted as well. Its attempt has lost its lease with that, and can write nothing any more; what it
 * has asked the provider for may still arrive there.
 */
export interface JobsHeld extends Holding {
  /** The same, and whether one of them was running. */
  end(email: string): Promise<{ ended: number; wasRunning: boolean }>;
}

export function jobsHeld({ kv, clock, random }: HoldingDeps): JobsHeld {
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

  const end = (id: string) =>
    cas(kv, { job: jobKey(id) }, ({ job: { value } }) => ({
      value: value?.state,
      ...(value && { write: (tx: Deno.AtomicOperation) => writeRow(tx, value, null) }),
    }), { clock, random });

  const held: JobsHeld = {
    name: "jobs",
    find: jobsOf,
    async end(email) {
      const states: (JobRow["state"] | undefined)[] = [];
      for (const { id } of await jobsOf(email)) states.push(await end(id));
      return { ended: states.filter(Boolean).length, wasRunning: states.includes("running") };
    },
    erase: async (email) => (await held.end(email)).ended,
  };
  return held;
}

function mentions(value: unknown, email: string): boolean {
  if (typeof value === "string") return value.toLowerCase() === email;
  return typeof value === "object" && value !== null &&
    Object.values(value).some((part) => mentions(part, email));
}
