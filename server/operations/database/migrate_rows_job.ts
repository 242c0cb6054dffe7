import { z } from "zod";
import type { Clock, Log, Random } from "../../platform/deps.ts";
import { cas } from "../../platform/kv/cas.ts";
import { keys } from "../../platform/kv/keys.ts";
import type { Kv, KvKey } from "../../platform/kv/port.ts";
import { cartKey, type CartRow, putCart } from "../../shops/carts/cart.ts";
import { putRecord } from "../../signup/record/record.ts";
import { signupKey, type SignupRecord } from "../../signup/record/row.ts";
import { addUnlessThere } from "../../platform/jobs/add.ts";
import type { JobDefinition } from "../../platform/jobs/handler.ts";
import { createPass } from "../../platform/jobs/pass.ts";
import { passOver } from "../../platform/jobs/saved_pass.ts";

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
  await addUnlessThere(deps, JOB);
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
        const { isDone, count } = await passOver<SignupRecord, Payload>(pass, job, {
          range: after ? { prefix, start: [...keys.signup(...after), false] } : { prefix },
          work: (key, record) => migrateRecord(pass.kv, key, record),
          progress: (key) => ({ after: key.slice(-2) as [string, string] }),
        }, deps);
        if (!isDone) return more;
        signups = count;
      }
      const prefix = keys.family("cart");
      const { isDone } = await passOver<CartRow, Payload>(pass, job, {
        range: afterCart === undefined ? { prefix } : { prefix, start: [...keys.cart(afterCart), false] },
        work: (key) => migrateCart(pass.kv, key),
        progress: (key) => ({ afterCart: String(key.at(-1)) }),
      }, deps);
      if (!isDone) return more;
      await pass.end();
      await pass.kv.set(keys.migrated(MIGRATION), { v: 1, at: clock.now() });
      log.info("rows.migrated", { what: MIGRATION, signups });
      return { kind: "done" };
    },
  };
}
