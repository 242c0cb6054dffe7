import { z } from "zod";
import type { Clock, Log, Random } from "../../platform/deps.ts";
import { addUnlessThere } from "../../platform/jobs/add.ts";
import type { JobDefinition } from "../../platform/jobs/handler.ts";
import { createPass } from "../../platform/jobs/pass.ts";
import { passOver } from "../../platform/jobs/saved_pass.ts";
import type { Keyring } from "../../platform/keys/keyring.ts";
import { reseal } from "../../platform/keys/seal.ts";
import { cas } from "../../platform/kv/cas.ts";
import { keys } from "../../platform/kv/keys.ts";
import type { Kv, KvKey } from "../../platform/kv/port.ts";
import { ownerKey, type OwnerRow } from "../../shops/orders/ledger.ts";

/** What the job encrypts again, for people. */
export const ORDERS = "addresses of orders";

/** The last order that was handled. */
const Payload = z.object({ after: z.string().optional(), skipped: z.number().optional() });
type Payload = z.output<typeof Payload>;

const JOB = { id: "reseal_orders", name: "cfbe_reseal_orders", payload: {} as Payload } as const;

interface Deps {
  kv: Kv;
  clock: Clock;
  random: Random;
  keyring: Keyring;
}

/** Marks that all addresses of orders are encrypted with the current salt. */
const doneKey = (keyring: Keyring) => keys.migrated(`sealed_orders ${keyring.fingerprints()[0]}`);

/** Adds the job if earlier salts are accepted, unless everything is encrypted again or the job is there. */
export async function startReseal(deps: Deps): Promise<void> {
  const { kv, keyring } = deps;
  if (keyring.fingerprints().length < 2 || (await kv.get(doneKey(keyring))).value !== null) return;
  await addUnlessThere(deps, JOB);
}

/** Lets the job go over all orders once more: another process had not changed to the current salt. */
export async function resealAgain(deps: Deps): Promise<void> {
  await deps.kv.delete(doneKey(deps.keyring));
  await startReseal(deps);
}

/** Encrypts the addresses of orders with the current salt. What no accepted salt decrypts stays as it is. */
export function resealOrders(deps: Deps & { log: Log }): JobDefinition<Payload> {
  const { clock, random, keyring, log } = deps;

  async function resealOrder(kv: Kv, key: KvKey) {
    const owner = ownerKey(String(key.at(-1)));
    const { value: seen } = await kv.get<OwnerRow>(owner);
    const renewed = seen && await reseal(keyring, random, seen.sealed);
    if (!seen || renewed === undefined || renewed === seen.sealed) return;
    await cas(kv, { owner }, ({ owner: { value } }) => {
      // The order has moved to another person meanwhile.
      if (value?.sealed !== seen.sealed) return { value: undefined };
      return { value: undefined, write: (tx) => void tx.set(owner, { ...value, sealed: renewed! }) };
    }, { clock, random });
  }

  return {
    name: JOB.name,
    payload: Payload,
    runsWhileDeactivated: true,
    async handle(job) {
      const { after, skipped } = job.payload;
      const pass = createPass(deps, JOB.name, skipped);
      const done = doneKey(keyring);
      const prefix = keys.family("order_owner");
      const { isDone, count } = await passOver<OwnerRow, Payload>(pass, job, {
        range: after === undefined ? { prefix } : { prefix, start: [...keys.orderOwner(after), false] },
        work: (key) => resealOrder(pass.kv, key),
        progress: (key) => ({ after: String(key.at(-1)) }),
      }, deps);
      if (!isDone) return { kind: "snooze", until: clock.now(), reason: "More to do." };
      await pass.end();
      await pass.kv.set(done, { v: 1, at: clock.now() });
      log.info("salt.orders_encrypted_again", { orders: count });
      return { kind: "done" };
    },
  };
}
