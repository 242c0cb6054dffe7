import { z } from "zod";
import type { Clock, Log, Random } from "../../platform/deps.ts";
import { cas } from "../../platform/kv/cas.ts";
import { keys } from "../../platform/kv/keys.ts";
import type { Kv, KvKey, KvListSelector } from "../../platform/kv/port.ts";
import { cartKey, type CartRow, putCart } from "../../shops/carts/cart.ts";
import { putRecord } from "../../signup/record/record.ts";
import { signupKey, type SignupRecord } from "../../signup/record/row.ts";
import { addJob } from "../../platform/jobs/add.ts";
import type { JobDefinition, RunningJob } from "../../platform/jobs/handler.ts";
import { createPass, type Pass } from "../../platform/jobs/pass.ts";
import { jobKey } from "../../platform/jobs/row.ts";

/** The name under which this migration is marked as done. Each migration needs its own. */
const MIGRATION = "subscriber_entries";

const Payload = z.object({
  /** Email address and list of the last migrated record. */
  after: z.tuple([z.string(), z.string()]).optional(),
  /** ID of the last migrated cart; present once all records are migrated. */
  afterCart: z.string().optional(),
  /** How many rows were skipped. */
  skipped: z.number().optional(),
});
type Payload = z.output<typeof Payload>;

const JOB = { id: "migrate_rows", name: "cfbe_migrate_rows", payload: {} as Payload } as const;

/** Progress is saved after this many rows. */
const SAVE_EVERY = 500;
/** Well below the limit for an attempt. */
const RUN_FOR_MS = 60_000;

interface Deps {
  kv: Kv;
  clock: Clock;
  random: Random;
}

/** Returns whether all records from earlier versions have their search entries. */
export async function isMigrated(kv: Kv): Promise<boolean> {
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
 * where an earlier attempt stopped, and skips rows that are already migrated or can't be read.
 */
export function migrateRows(deps: Deps & { log: Log }): JobDefinition<Payload> {
  const { clock, random, log } = deps;

  /** Writes a record again, unchanged, which adds its entries. */
  async function migrateRecord(kv: Kv, key: KvKey, { v }: SignupRecord) {
    if (v === 2) return;
    const [email, list] = key.slice(-2) as [string, string];
    await cas(kv, { record: signupKey(email, list) }, ({ record: { value } }) => {
      if (!value || value.v === 2) return { value: undefined };
      return { value: undefined, write: (tx) => void putRecord(tx, value, value) };
    }, { clock, random });
  }
  async function migrateCart(kv: Kv, key: KvKey) {
    await cas(kv, { cart: cartKey(String(key.at(-1))) }, ({ cart: { value } }) => {
      if (!value) return { value: undefined };
      return { value: undefined, write: (tx) => putCart(tx, value, value) };
    }, { clock, random });
  }

  interface Family<Row> {
    range: KvListSelector;
    migrate(kv: Kv, key: KvKey, row: Row): Promise<void>;
    /** Returns the progress once a row is migrated. */
    progress(key: KvKey): Payload;
  }
  /** Migrates the rows of a family. @returns whether all were migrated in time, and how many */
  async function migrateAll<Row>(
    pass: Pass,
    { fence, signal }: RunningJob<Payload>,
    { range, migrate, progress }: Family<Row>,
  ): Promise<{ isDone: boolean; count: number }> {
    const end = clock.now() + RUN_FOR_MS;
    let count = 0;
    for await (const { key, value } of pass.rows<Row>(range, { batchSize: SAVE_EVERY })) {
      await pass.row(() => migrate(pass.kv, key, value));
      if (++count % SAVE_EVERY !== 0) continue;
      const payload = { ...progress(key), skipped: pass.skipped };
      await cas(pass.kv, { row: fence.key }, ({ row }) => ({
        value: undefined,
        write: (tx) => fence.update(tx, row, { payload }),
      }), { clock, random, fence });
      if (signal.aborted || clock.now() > end) return { isDone: false, count };
    }
    return { isDone: true, count };
  }

  return {
    name: JOB.name,
    payload: Payload,
    runsWhileDeactivated: true,
    async handle(job) {
      const { after, afterCart, skipped } = job.payload;
      const pass = createPass(deps, JOB.name, skipped);
      const more = { kind: "snooze", until: clock.now(), reason: "More to do." } as const;
      let signups = 0;
      if (afterCart === undefined) {
        const prefix = keys.family("signup");
        const { isDone, count } = await migrateAll<SignupRecord>(pass, job, {
          range: after ? { prefix, start: [...keys.signup(...after), false] } : { prefix },
          migrate: migrateRecord,
          progress: (key) => ({ after: key.slice(-2) as [string, string] }),
        });
        if (!isDone) return more;
        signups = count;
      }
      const prefix = keys.family("cart");
      const { isDone } = await migrateAll<CartRow>(pass, job, {
        range: afterCart === undefined ? { prefix } : { prefix, start: [...keys.cart(afterCart), false] },
        migrate: migrateCart,
        progress: (key) => ({ afterCart: String(key.at(-1)) }),
      });
      if (!isDone) return more;
      await pass.end();
      await pass.kv.set(keys.migrated(MIGRATION), { v: 1, at: clock.now() });
      log.info("rows.migrated", { what: MIGRATION, signups });
      return { kind: "done" };
    },
  };
}
