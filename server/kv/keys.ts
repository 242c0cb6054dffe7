/**
 * Every key shape in the database, in one place. All begin `["s", site]`; every row carries a version `v`.
 * Times in keys are Unix milliseconds, so that listing a prefix goes from old to new.
 */

/** `main` until several sites are served (decisions §2). */
const SITE = ["s", "main"] as const;

type Key = Deno.KvKey;

export const keys = {
  // jobs/
  job: (id: string): Key => [...SITE, "job", id],
  /** When a job is to be looked at next: its due time, or the end of its lease while it runs. */
  due: (at: number, id: string): Key => [...SITE, "due", at, id],
  dueAll: (): Key => [...SITE, "due"],
  dead: (at: number, id: string): Key => [...SITE, "dead", at, id],
  deadAll: (): Key => [...SITE, "dead"],
  /** The last slot of a recurring job that was started; see `jobs/recurring.ts`. */
  slot: (name: string): Key => [...SITE, "slot", name],
};
