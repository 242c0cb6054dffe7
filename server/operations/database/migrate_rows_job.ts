import { z } from "zod";
import type { Clock, Log, Random } from "../../platform/deps.ts";
import { cas } from "../../platform/kv/cas.ts";
import { keys } from "../../platform/kv/keys.ts";
import { cartKey, putCart } from "../../shops/carts/cart.ts";
import { putRecord } from "../../signup/record/record.ts";
import { signupKey, type SignupRecord } from "../../signup/record/row.ts";
import { addJob } from "../../platform/jobs/add.ts";
import type { JobDefinition } from "../../platform/jobs/handler.ts";
import { jobKey } from "../../platform/jobs/row.ts";

/** The name under which this migration is marked as done. Each migration needs its own. */
const MIGRATION = "subscriber_entries";

const Payload = z.object({
  /** Email address and list of the last migrated record. */
  after: z.tuple([z.string(), z.string()]).optional(),
});
type Payload = z.output<typeof Payload>;

const JOB = { id: "migrate_rows", name: "cfbe_migrate_rows", payload: {} as Payload } as const;

/** Progress is saved after this many records. */
const SAVE_EVERY = 500;
/** Well below the limit for an attempt. */
const RUN_FOR_MS = 60_000;

interface Deps {
  kv: Deno.Kv;
  clock: Clock;
  random: Random;
}

/** Returns whether all records from earlier versions have their search entries. */
export async function isMigrated(kv: Deno.Kv): Promise<boolean> {
  return (await kv.get(keys.migrated(MIGRATION))).value !== null;
}

/** Adds the job unless the migration is done or in progress. */
export async function startMigration(deps: Deps): Promise<void> {
  if (await isMigrated(deps.kv)) return;
  await cas(deps.kv, { job: jobKey(JOB.id) }, ({ job }) => {
    if (job.value && job.value.state !== "dead") return { value: undefined };
    const now = deps.clock.now();
    return { value: undefined, write: (tx) => void addJob(tx, job, { ...JOB, due: now }, now) };
  }, deps);
}

/**
 * Adds the search entries that rows of earlier versions lack: for signups, and for carts by email address. Continues
 * where an earlier attempt stopped, and skips rows that are already migrated.
 */
export function migrateRows({ kv, clock, random, log }: Deps & { log: Log }): JobDefinition<Payload> {
  /** Writes a record again, unchanged, which adds its entries. */
  async function migrateRecord(email: string, list: string) {
    await cas(kv, { record: signupKey(email, list) }, ({ record: { value } }) => {
      if (!value || value.v === 2) return { value: undefined };
      return { value: undefined, write: (tx) => void putRecord(tx, value, value) };
    }, { clock, random });
  }
  async function migrateCart(id: string) {
    await cas(kv, { cart: cartKey(id) }, ({ cart: { value } }) => {
      if (!value) return { value: undefined };
      return { value: undefined, write: (tx) => putCart(tx, value, value) };
    }, { clock, random });
  }

  return {
    name: JOB.name,
    payload: Payload,
    runsWhileDeactivated: true,
    async handle(job) {
      const { after } = job.payload;
      const prefix = keys.family("signup");
      const range = after ? { prefix, start: [...keys.signup(...after), false] } : { prefix };
      const end = clock.now() + RUN_FOR_MS;
      let done = 0;
      const saveProgress = async (email: string, list: string) =>
        await cas(kv, { row: job.fence.key }, ({ row }) => {
          const payload: Payload = { after: [email, list] };
          return { value: undefined, write: (tx) => job.fence.update(tx, row, { payload }) };
        }, { clock, random, fence: job.fence });

      for await (const { value } of kv.list<SignupRecord>(range, { batchSize: SAVE_EVERY })) {
        if (value.v !== 2) await migrateRecord(value.email, value.list);
        if (++done % SAVE_EVERY !== 0) continue;
        await saveProgress(value.email, value.list);
        if (job.signal.aborted || clock.now() > end) {
          return { kind: "snooze", until: clock.now(), reason: "More to do." };
        }
      }
      for await (const { key } of kv.list({ prefix: keys.family("cart") })) {
        await migrateCart(String(key.at(-1)));
      }
      await kv.set(keys.migrated(MIGRATION), { v: 1, at: clock.now() });
      log.info("rows.migrated", { what: MIGRATION, signups: done });
      return { kind: "done" };
    },
  };
}
