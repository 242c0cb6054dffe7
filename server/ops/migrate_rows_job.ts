import { z } from "zod";
import type { Clock, Log, Random } from "../deps.ts";
import { cas } from "../kv/cas.ts";
import { keys } from "../kv/keys.ts";
import { cartKey, putCart } from "../carts/cart.ts";
import { putRecord } from "../signup/record/record.ts";
import { signupKey, type SignupRecord } from "../signup/record/row.ts";
import { addJob } from "../jobs/add.ts";
import type { JobDefinition } from "../jobs/handler.ts";
import { jobKey } from "../jobs/row.ts";

/** What is brought up to date, and under which name that is noted. Another change of rows gets another name. */
const WHAT = "subscriber_entries";

const Payload = z.object({
  /** Everything up to this record is done. */
  after: z.tuple([z.string(), z.string()]).optional(),
});
type Payload = z.output<typeof Payload>;

const JOB = { id: "migrate_rows", name: "cfbe_migrate_rows", payload: {} as Payload } as const;

/** Records a note of how far it has come. */
const NOTE_EVERY = 500;
/** Well within what an attempt may take. */
const RUN_FOR_MS = 60_000;

interface Deps {
  kv: Deno.Kv;
  clock: Clock;
  random: Random;
}

/** Whether every record from an earlier version can be found by every search. */
export async function isMigrated(kv: Deno.Kv): Promise<boolean> {
  return (await kv.get(keys.migrated(WHAT))).value !== null;
}

/** Adds the job, unless it has been done or is under way. */
export async function startMigration(deps: Deps): Promise<void> {
  if (await isMigrated(deps.kv)) return;
  await cas(deps.kv, { job: jobKey(JOB.id) }, ({ job }) => {
    if (job.value && job.value.state !== "dead") return { value: undefined };
    const now = deps.clock.now();
    return { value: undefined, write: (tx) => void addJob(tx, job, { ...JOB, due: now }, now) };
  }, deps);
}

/**
 * Gives rows from before there were searches their index entries: signups, and carts by address. It goes on where an
 * earlier attempt had to stop, and what it has done already is passed over.
 */
export function migrateRows({ kv, clock, random, log }: Deps & { log: Log }): JobDefinition<Payload> {
  /** Written again as it is: that is what gives it its entries. */
  async function record(email: string, list: string) {
    await cas(kv, { record: signupKey(email, list) }, ({ record: { value } }) => {
      if (!value || value.v === 2) return { value: undefined };
      return { value: undefined, write: (tx) => void putRecord(tx, value, value) };
    }, { clock, random });
  }
  async function cart(id: string) {
    await cas(kv, { cart: cartKey(id) }, ({ cart: { value } }) => {
      if (!value) return { value: undefined };
      return { value: undefined, write: (tx) => putCart(tx, value, value) };
    }, { clock, random });
  }

  return {
    name: JOB.name,
    payload: Payload,
    async handle(job) {
      const { after } = job.payload;
      const prefix = keys.family("signup");
      const range = after ? { prefix, start: [...keys.signup(...after), false] } : { prefix };
      const end = clock.now() + RUN_FOR_MS;
      let done = 0;
      const noteAt = async (email: string, list: string) =>
        await cas(kv, { row: job.fence.key }, ({ row }) => {
          const payload: Payload = { after: [email, list] };
          return { value: undefined, write: (tx) => job.fence.update(tx, row, { payload }) };
        }, { clock, random, fence: job.fence });

      for await (const { value } of kv.list<SignupRecord>(range, { batchSize: NOTE_EVERY })) {
        if (value.v !== 2) await record(value.email, value.list);
        if (++done % NOTE_EVERY !== 0) continue;
        await noteAt(value.email, value.list);
        if (job.signal.aborted || clock.now() > end) {
          return { kind: "snooze", until: clock.now(), reason: "More to do." };
        }
      }
      for await (const { key } of kv.list({ prefix: keys.family("cart") })) await cart(String(key.at(-1)));
      await kv.set(keys.migrated(WHAT), { v: 1, at: clock.now() });
      log.info("rows.migrated", { what: WHAT, signups: done });
      return { kind: "done" };
    },
  };
}
