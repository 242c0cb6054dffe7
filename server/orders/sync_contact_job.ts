import { z } from "zod";
import type { Clock, Log, Random } from "../deps.ts";
import { cas } from "../kv/cas.ts";
import { keys } from "../kv/keys.ts";
import type { Hooks } from "../hooks/hooks.ts";
import type { Contact, ContactChange, Provider } from "../provider/port.ts";
import type { SettingsStore } from "../settings/store.ts";
import { readLedger, totalsOf } from "./ledger.ts";
import type { Markers } from "../mail/markers.ts";
import type { SignupRecord } from "../signup/record/row.ts";
import { addJob } from "../jobs/add.ts";
import { type JobDefinition, type JobResult, LeaseLost, type RunningJob } from "../jobs/handler.ts";
import { jobKey, type JobRow } from "../jobs/row.ts";

const Payload = z.object({
  /** HMAC of the address. */
  person: z.string(),
  email: z.string(),
  /** As an order said. */
  name: z.string().optional(),
});
type Payload = z.output<typeof Payload>;

const NAME = "cfbe_sync_contact";
const CUSTOMER_TAG = "customer";

/** One a person: whatever happens to their orders, this reads anew what is true by then. */
export function syncContactJob(person: string, { email, name }: { email: string; name?: string }) {
  const payload: Payload = { person, email, ...(name !== undefined && { name }) };
  return { id: `sync_contact:${person}`, name: NAME, payload, merge: join } as const;
}

/** A job without a name must not take one from a job that has it. */
function join(waiting: Payload, arriving: Payload): Payload {
  return { ...waiting, ...arriving };
}

interface Options {
  markers: Markers;
  kv: Deno.Kv;
  clock: Clock;
  random: Random;
  log: Log;
  settings: SettingsStore;
  provider: Provider;
  hooks: Hooks;
}

/**
 * Brings a buyer's contact at the provider up to date. What is written is absolute, and read in the moment of the
 * writing: after any interleaving of orders, retries and crashes the last run leaves what the ledger says.
 */
export function syncContact(options: Options): JobDefinition<Payload> {
  const { kv, clock, random, log, settings, provider, markers } = options;

  const holds = async ({ fence }: RunningJob<Payload>) => fence.holds(await kv.get<JobRow>(fence.key));

  /**
   * This process slept, and has written over what a later attempt wrote: have it written again. Only a process that
   * sleeps in that one moment and dies at waking leaves old numbers, until the person's next order.
   */
  async function queueRewrite({ id, payload, createdAt }: RunningJob<Payload>): Promise<void> {
    log.warn("contact.write_late");
    const read = { existing: jobKey(id), erased: markers.erased(payload.person) };
    await cas(kv, read, ({ existing, erased }) => {
      // Its job was deleted with everything about the person: it is not to be brought back.
      if (erased.value && erased.value.at >= createdAt) return { value: undefined };
      const now = clock.now();
      const job = syncContactJob(payload.person, payload as { email: string });
      return { value: undefined, write: (tx) => void addJob(tx, existing, { ...job, due: now }, now) };
    }, { clock, random });
  }

  return {
    name: NAME,
    payload: Payload,
    merge: join,
    async handle(job): Promise<JobResult> {
      const { general } = settings.current();
      const { email } = job.payload;
      if (!general.modules.contactSync) return { kind: "cancel", reason: "The module is off." };
      if (!provider.capabilities.contacts) return { kind: "cancel", reason: "The provider has no contacts." };
      if (settings.apiKey() === "") return { kind: "retry", reason: "No provider is configured." };

      const read = await provider.contact(email, job.signal);
      if (read.kind === "trouble") return { ...read, kind: "retry" };
      const current = read.kind === "found" ? read.contact : { name: "", tags: [] };
      const change = await contactChangeFor(options, job.payload, current);
      if (job.signal.aborted || !await holds(job)) throw new LeaseLost();
      const saved = await provider.saveContact(email, change, job.signal);
      if (!await holds(job)) {
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
 * What the contact is to be. Tags are added to those that are there and never taken away; a name that is there
 * stays: an order can be placed in anybody's name.
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
  const called = confirmed.find((signup) => signup.name)?.name ?? name;
  const isCustomer = totalsOf(await readLedger(kv, person)).count > 0;
  const own = [...(isCustomer ? [CUSTOMER_TAG] : []), ...confirmed.flatMap((signup) => signup.tags)];
  const tags = await hooks.filter("cfbe_tags", [...new Set(own)], { email, for: "contact" });
  // Last, for it must not be old when it is written.
  const totals = totalsOf(await readLedger(kv, person));
  return {
    ...(current.name === "" && called && { name: called }),
    tags: [...new Set([...current.tags, ...tags])],
    properties: {
      orderCount: totals.count,
      totalSpent: totals.spent,
      orderCurrency: totals.currency,
      lastOrderAt: totals.lastAt === undefined ? "" : new Date(totals.lastAt).toISOString(),
    },
  };
}
