import { z } from "zod";
import { RESEND_EVERY_MS } from "../../../shared/limits.ts";
import { mailboxOf } from "../../../shared/mailbox.ts";
import type { Outcome, SignupSource } from "../../../shared/outcomes.ts";
import type { Clock, Log, Random } from "../../deps.ts";
import type { Hooks } from "../../hooks/hooks.ts";
import type { Keyring } from "../../keys/keyring.ts";
import { cas } from "../../kv/cas.ts";
import { keys } from "../../kv/keys.ts";
import type { Provider } from "../../provider/port.ts";
import { afterDelivery, deliver, type Delivered } from "../../signup/delivery.ts";
import { putRecord, type SignupRecord } from "../../signup/record.ts";
import { move } from "../../signup/states.ts";
import { type JobDefinition, LeaseLost, type RunningJob } from "../handler.ts";

const SOURCES = ["shortcode", "block", "promo", "popup", "checkout", "account", "integration"] as const;
const OUTCOMES = ["pending", "resent", "already_active", "active", "queued", "suppressed", "failed"] as const;

const Payload = z.object({
  email: z.string(),
  list: z.string(),
  /** Signups that `cfbe_subscribed` is still to be told of; none once the first attempt is decided and told. */
  signups: z.array(z.object({ id: z.string(), source: z.enum(SOURCES), at: z.number() })),
  /** Stored with the record's move, so that a crash before the telling doesn't ask the provider again. */
  decided: z.enum(OUTCOMES).optional(),
});
type Payload = z.output<typeof Payload>;

const NAME = "cfbe_deliver_signup";

/**
 * The delivery of one record, to be added in the commit that accepts the signup. Keyed by the record: two never
 * run at once, and a repeat joins the one that waits.
 */
export function deliverJob(
  target: { email: string; list: string },
  signup: { id: string; source: SignupSource; at: number },
) {
  const payload: Payload = { email: target.email, list: target.list, signups: [signup] };
  return { id: `deliver:${target.list}:${target.email}`, name: NAME, payload, merge: join } as const;
}

function join(waiting: Payload, arriving: Payload): Payload {
  return { ...arriving, signups: [...waiting.signups, ...arriving.signups] };
}

/** The 24-hour mark of a mailbox: a confirmation mail went out, or is about to. It outlives the record. */
interface MarkRow {
  v: 1;
  at: number;
  /** HMAC of the delivery that took it, so that its own retry isn't held up by it. */
  by: string;
}

interface Options {
  kv: Deno.Kv;
  clock: Clock;
  random: Random;
  keyring: Keyring;
  provider: Provider;
  hooks: Hooks;
  log: Log;
}

type Job = RunningJob<Payload>;

/** Brings signups to the provider, moves their records and tells `cfbe_subscribed`. */
export function deliverSignup(
  { kv, clock, random, keyring, provider, hooks, log }: Options,
): JobDefinition<Payload> {
  const recordKey = ({ email, list }: Payload) => keys.signup(email, list);
  const markKey = ({ email }: Payload) =>
    keys.mark("confirmation", keyring.identify("cfbe/mailbox", mailboxOf(email)));
  // A later delivery of the same record is another one, though its job has the same id.
  const deliveryOf = (job: Job) => keyring.identify("cfbe/subject", `${job.id} ${job.createdAt}`);
  const mark = (tx: Deno.AtomicOperation, job: Job, now: number) => {
    const row: MarkRow = { v: 1, at: now, by: deliveryOf(job) };
    tx.set(markKey(job.payload), row, { expireIn: 2 * RESEND_EVERY_MS });
  };

  /** A cas that a job whose lease was lost can't win. */
  function fenced<T>(
    job: Job,
    key: Deno.KvKey,
    decide: (entry: Deno.KvEntryMaybe<unknown>, fence: Deno.KvEntryMaybe<unknown>) => {
      value: T;
      write?: (tx: Deno.AtomicOperation) => void;
    },
  ): Promise<T> {
    return cas(kv, [key, job.fence.key], ([entry, fence]: Deno.KvEntryMaybe<unknown>[]) => {
      if (!job.fence.holds(fence!)) throw new LeaseLost();
      return decide(entry!, fence!);
    }, { clock, random });
  }

  function takeMark(job: Job): Promise<boolean> {
    return fenced(job, markKey(job.payload), (entry) => {
      const row = entry.value as MarkRow | null;
      const now = clock.now();
      if (row !== null && row.by !== deliveryOf(job) && now - row.at < RESEND_EVERY_MS) {
        return { value: false };
      }
      return { value: true, write: (tx) => mark(tx, job, now) };
    });
  }

  /** One commit: the record's move, the mark, and in the payload what was decided. Null: the record was erased. */
  function settle(job: Job, delivered: Delivered): Promise<SignupRecord | null> {
    return fenced(job, recordKey(job.payload), (entry, fence) => {
      const before = entry.value as SignupRecord | null;
      if (!before) return { value: null };
      const now = clock.now();
      const after = afterDelivery(before, delivered, now);
      return {
        value: after,
        write(tx) {
          if (after !== before) putRecord(tx, before, after);
          if (delivered.mailed) mark(tx, job, now);
          job.fence.update(tx, fence, { payload: { ...job.payload, decided: delivered.outcome } });
        },
      };
    });
  }

  async function tell(job: Job, outcome: Outcome, record: SignupRecord) {
    const { email, list, signups } = job.payload;
    for (const { source, at } of signups) {
      await hooks.act("cfbe_subscribed", { email, list, source, outcome, record, at });
    }
  }

  return {
    name: NAME,
    payload: Payload,
    merge: join,
    async handle(job) {
      const record = (await kv.get<SignupRecord>(recordKey(job.payload))).value;
      if (!record) return { kind: "cancel", reason: "The record is gone." };
      if (job.payload.decided) {
        await tell(job, job.payload.decided, record);
        return { kind: "done" };
      }
      const result = await deliver({
        provider,
        target: { email: record.email, list: record.list },
        person: { tags: record.tags, ...(record.name !== undefined && { name: record.name }) },
        unknown: job.unknown,
        takeMark: () => takeMark(job),
      });
      if (result.kind === "trouble") {
        log.warn("delivery.trouble", { list: record.list, attempt: job.attempt, reason: result.reason });
        if (job.payload.signups.length > 0) {
          await tell(job, "queued", record);
          await fenced(job, recordKey(job.payload), (_, fence) => ({
            value: undefined,
            write: (tx) => job.fence.update(tx, fence, { payload: { ...job.payload, signups: [] } }),
          }));
        }
        const { reason, retryAfterMs, unknown } = result;
        return { kind: "retry", reason, retryAfterMs, unknown };
      }
      const settled = await settle(job, result);
      if (!settled) return { kind: "cancel", reason: "The record was erased during its delivery." };
      await tell(job, result.outcome, settled);
      return { kind: "done" };
    },
    /** A delivery that dies of age fails its record (decisions §6). */
    async dead(job, reason) {
      if (!job.payload) return;
      await cas(kv, [recordKey(job.payload)], ([entry]: Deno.KvEntryMaybe<unknown>[]) => {
        const before = entry!.value as SignupRecord | null;
        if (before?.status !== "queued") return { value: undefined };
        const after = move(before, "failed", clock.now(), { reason });
        return { value: undefined, write: (tx) => void putRecord(tx, before, after) };
      }, { clock, random });
    },
  };
}
