import { z } from "zod";
import type { Clock, Log, Random } from "../../platform/deps.ts";
import { cas } from "../../platform/kv/cas.ts";
import { keys } from "../../platform/kv/keys.ts";
import type { Kv } from "../../platform/kv/port.ts";
import type { Hooks } from "../../settings/hooks/hooks.ts";
import type { Contact, ContactChange, Provider } from "../../providers/port/port.ts";
import type { SettingsStore } from "../../settings/store/store.ts";
import { readLedger, totalsOf } from "./ledger.ts";
import { afterErasure, type OpenErasures } from "../mail/after_erasure.ts";
import type { Markers } from "../mail/markers.ts";
import type { SignupRecord } from "../../signup/record/row.ts";
import { addJob } from "../../platform/jobs/add.ts";
import {
  type JobDefinition,
  type JobResult,
  LeaseLost,
  type RunningJob,
} from "../../platform/jobs/handler.ts";
import { jobKey, type JobRow } from "../../platform/jobs/row.ts";

const Payload = z.object({
  /** HMAC of the address. */
  person: z.string(),
  email: z.string(),
  /** From the order. */
  name: z.string().optional(),
});
type Payload = z.output<typeof Payload>;

const NAME = "cfbe_sync_contact";
const CUSTOMER_TAG = "customer";

/** Returns the job that updates a person's contact. There is one per person, and it reads the current data. */
export function syncContactJob(person: string, { email, name }: { email: string; name?: string }) {
  const payload: Payload = { person, email, ...(name !== undefined && { name }) };
  return { id: `sync_contact:${person}`, name: NAME, payload, merge: mergePayloads } as const;
}

/** Keeps the name of the waiting job if the new one has none. */
function mergePayloads(waiting: Payload, arriving: Payload): Payload {
  return { ...waiting, ...arriving };
}

interface Options {
  markers: Markers;
  kv: Kv;
  clock: Clock;
  random: Random;
  log: Log;
  settings: SettingsStore;
  provider: Provider;
  erasures: OpenErasures;
  hooks: Hooks;
}

/**
 * Updates a buyer's contact at the provider. It writes totals, not differences, and reads them just before. After any
 * interleaving of orders, retries and crashes, the last run leaves the totals of the ledger.
 */
export function syncContact(options: Options): JobDefinition<Payload> {
  const { kv, clock, random, log, settings, provider, markers } = options;

  const holdsLease = async ({ fence }: RunningJob<Payload>) => fence.holds(await kv.get<JobRow>(fence.key));

  /**
   * Queues another update after this process slept and may have overwritten newer totals. If it also crashes right after
   * waking, old totals remain until the person's next order.
   */
  async function queueRewrite({ id, payload, createdAt }: RunningJob<Payload>): Promise<void> {
    log.warn("contact.write_late");
    const read = { existing: jobKey(id), erased: markers.erased(payload.person) };
    await cas(kv, read, ({ existing, erased }) => {
      // The person was erased, and the job must not come back.
      if (erased.value && erased.value.at >= createdAt) return { value: undefined };
      const now = clock.now();
      const job = syncContactJob(payload.person, payload as { email: string });
      return { value: undefined, write: (tx) => void addJob(tx, existing, { ...job, due: now }, now) };
    }, { clock, random });
  }

  return {
    name: NAME,
    payload: Payload,
    merge: mergePayloads,
    // The ledger keeps the address too.
    afterRetention: ({ person, email }) => ({ person, email }),
    async handle(job): Promise<JobResult> {
      const { general } = settings.current();
      const { email } = job.payload;
      if (!general.modules.contactSync) return { kind: "cancel", reason: "The module is off." };
      if (!provider.capabilities.contacts) {
        return { kind: "cancel", reason: "The provider does not support contacts." };
      }
      if (settings.apiKey() === "") return { kind: "retry", reason: "No provider is configured." };
      const wait = await afterErasure(options, general.provider, email);
      if (wait) return wait;

      const read = await provider.contact(email, job.signal);
      if (read.kind === "trouble") return { ...read, kind: "retry" };
      const current = read.kind === "found" ? read.contact : { name: "", tags: [] };
      const change = await contactChangeFor(options, job.payload, current);
      if (job.signal.aborted || !await holdsLease(job)) throw new LeaseLost();
      const saved = await provider.saveContact(email, change, job.signal);
      if (!await holdsLease(job)) {
        await queueRewrite(job);
        throw new LeaseLost();
      }
      if (saved.kind === "trouble") return { ...saved, kind: "retry" };
      if (saved.kind === "refused") {
        log.warn("contact.rejected", { reason: saved.reason });
        return { kind: "cancel", reason: saved.reason };
      }
      return { kind: "done" };
    },
  };
}

/**
 * Returns the change to a contact. It only adds tags, and keeps an existing name, because an order can be placed in any
 * name.
 */
async function contactChangeFor(
  { kv, hooks }: Options,
  { person, email, name }: Payload,
  current: Contact,
): Promise<ContactChange> {
  const signups = await Array.fromAsync(
    kv.list<SignupRecord>({ prefix: keys.signupsOf(email) }),
    ({ value }) => value,
  );
  const confirmed = signups.filter(({ status }) => status === "active");
  const newName = confirmed.find((signup) => signup.name)?.name ?? name;
  const isCustomer = totalsOf(await readLedger(kv, person)).count > 0;
  const own = [...(isCustomer ? [CUSTOMER_TAG] : []), ...confirmed.flatMap((signup) => signup.tags)];
  const tags = await hooks.filter("cfbe_tags", [...new Set(own)], { email, for: "contact" });
  // Last, so that the totals are as recent as possible.
  const totals = totalsOf(await readLedger(kv, person));
  return {
    ...(current.name === "" && newName && { name: newName }),
    tags: [...new Set([...current.tags, ...tags])],
    properties: {
      orderCount: totals.count,
      totalSpent: totals.spent,
      orderCurrency: totals.currency,
      lastOrderAt: totals.lastAt === undefined ? "" : new Date(totals.lastAt).toISOString(),
    },
  };
}
