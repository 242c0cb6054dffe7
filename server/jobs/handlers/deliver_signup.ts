import { z } from "zod";
import { RESEND_EVERY_MS } from "../../../shared/limits.ts";
import { mailboxOf } from "../../../shared/mailbox.ts";
import type { Outcome, SignupSource } from "../../../shared/outcomes.ts";
import type { Confirmed } from "../../confirm/confirmed.ts";
import type { Clock, Log, Random } from "../../deps.ts";
import type { Hooks } from "../../hooks/hooks.ts";
import type { Keyring } from "../../keys/keyring.ts";
import { cas } from "../../kv/cas.ts";
import { keys } from "../../kv/keys.ts";
import type { Meters } from "../../observe/meters.ts";
import type { Provider } from "../../provider/port.ts";
import { afterDelivery, deliver, type Delivered } from "../../signup/delivery.ts";
import { type OnActive, putRecord, type SignupRecord } from "../../signup/record.ts";
import { withEvent } from "../../signup/history.ts";
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
  /** It holds the mailbox's mark already: its own retry isn't held up by it, another signup's job is. */
  marked: z.boolean().optional(),
});
type Payload = z.output<typeof Payload>;

const NAME = "cfbe_deliver_signup";

/** There is one delivery a record at most. */
export function deliverJobId({ email, list }: { email: string; list: string }): string {
  return `deliver:${list}:${email}`;
}

/**
 * The delivery of one record, to be added in the commit that accepts the signup. Keyed by the record: two never
 * run at once, and a repeat joins the one that waits.
 */
export function deliverJob(
  target: { email: string; list: string },
  signup: { id: string; source: SignupSource; at: number },
) {
  const payload: Payload = { email: target.email, list: target.list, signups: [signup] };
  return { id: deliverJobId(target), name: NAME, payload, merge: join } as const;
}

/** The same for a record that is here already: mails its confirmation again, if the mailbox's day is over. */
export function resendJob(target: { email: string; list: string }) {
  const payload: Payload = { email: target.email, list: target.list, signups: [] };
  return { id: deliverJobId(target), name: NAME, payload, merge: join } as const;
}

/** Where it stands when a mailbox last got a confirmation mail; see `MarkRow`. */
export function confirmationMark(keyring: Keyring, email: string): Deno.KvKey {
  return keys.mark("confirmation", keyring.identify("cfbe/mailbox", mailboxOf(email)));
}

function join(waiting: Payload, arriving: Payload): Payload {
  const signups = [...waiting.signups, ...arriving.signups];
  return { ...arriving, ...(waiting.marked && { marked: true }), signups };
}

/** The 24-hour mark of a mailbox: a confirmation mail went out, or is about to. It outlives the record. */
export interface MarkRow {
  v: 1;
  at: number;
}

interface Options {
  kv: Deno.Kv;
  clock: Clock;
  random: Random;
  keyring: Keyring;
  provider: Provider;
  hooks: Hooks;
  log: Log;
  meters: Meters;
  confirmed: Confirmed;
  onActive?: OnActive;
}

interface Settled {
  record: SignupRecord;
  /** It was not active before, and is by this delivery. */
  became: boolean;
}

/** One attempt, and the payload as it is stored by now. */
interface Run {
  job: RunningJob<Payload>;
  payload: Payload;
}

/** Brings signups to the provider, moves their records and tells `cfbe_subscribed`. */
export function deliverSignup(
  { kv, clock, random, keyring, provider, hooks, log, meters, confirmed, onActive }: Options,
): JobDefinition<Payload> {
  const recordKey = ({ email, list }: Payload) => keys.signup(email, list);
  const markKey = ({ email }: Payload) => confirmationMark(keyring, email);
  const mark = (tx: Deno.AtomicOperation, { payload }: Run, now: number) =>
    tx.set(markKey(payload), { v: 1, at: now } satisfies MarkRow, { expireIn: 2 * RESEND_EVERY_MS });

  /** A cas that a job whose lease was lost can't win. `progress` is stored in the payload, in the same commit. */
  async function fenced<T>(
    run: Run,
    key: Deno.KvKey,
    decide: (entry: Deno.KvEntryMaybe<unknown>, now: number) => {
      value: T;
      progress?: Partial<Payload>;
      write?: (tx: Deno.AtomicOperation) => void;
    },
  ): Promise<T> {
    const { fence } = run.job;
    const { value, payload } = await cas(
      kv,
      [key, fence.key],
      ([entry, row]: Deno.KvEntryMaybe<unknown>[]) => {
        if (!fence.holds(row!)) throw new LeaseLost();
        const { value, progress, write } = decide(entry!, clock.now());
        if (!progress) return { value: { value, payload: run.payload } };
        const payload = { ...run.payload, ...progress };
        return {
          value: { value, payload },
          write(tx) {
            write?.(tx);
            fence.update(tx, row!, { payload });
          },
        };
      },
      { clock, random },
    );
    run.payload = payload;
    return value;
  }

  async function takeMark(run: Run): Promise<boolean> {
    if (run.payload.marked) return true;
    return await fenced(run, markKey(run.payload), (entry, now) => {
      const row = entry.value as MarkRow | null;
      if (row !== null && now - row.at < RESEND_EVERY_MS) return { value: false };
      return { value: true, progress: { marked: true }, write: (tx) => void mark(tx, run, now) };
    });
  }

  /** One commit: the record's move, the mark, and in the payload what was decided. Null: the record was erased. */
  function settle(run: Run, delivered: Delivered): Promise<Settled | null> {
    return fenced(run, recordKey(run.payload), (entry, now) => {
      const before = entry.value as SignupRecord | null;
      if (!before) return { value: null };
      const { outcome, reason } = delivered;
      const result = reason === undefined ? outcome : `${outcome}: ${reason}`;
      const event = { kind: "delivery", attempt: run.job.attempt, result } as const;
      const after = afterDelivery(withEvent(before, now, event), delivered, now);
      // Who had been on the list before has not become active by this signup.
      const mayBecome = outcome !== "already_active";
      return {
        value: {
          record: after,
          became: mayBecome && before.status !== "active" && after.status === "active",
        },
        progress: { decided: delivered.outcome },
        write(tx) {
          putRecord(tx, before, after, mayBecome ? onActive : undefined);
          if (delivered.mailed === "yes") mark(tx, run, now);
        },
      };
    });
  }

  /** The attempt in the record's history; and that whoever waits has been told. */
  async function noteTrouble(run: Run, reason: string): Promise<void> {
    await fenced(run, recordKey(run.payload), (entry, now) => {
      const before = entry.value as SignupRecord | null;
      const event = { kind: "delivery", attempt: run.job.attempt, result: reason } as const;
      return {
        value: undefined,
        progress: { signups: [] },
        write: (tx) => before && void putRecord(tx, before, withEvent(before, now, event)),
      };
    });
  }

  async function tell({ email, list, signups }: Payload, outcome: Outcome, record: SignupRecord) {
    for (const { source, at } of signups) {
      await hooks.act("cfbe_subscribed", { email, list, source, outcome, record, at });
    }
  }

  return {
    name: NAME,
    payload: Payload,
    merge: join,
    async handle(job) {
      const run: Run = { job, payload: job.payload };
      const record = (await kv.get<SignupRecord>(recordKey(job.payload))).value;
      if (!record) return { kind: "cancel", reason: "The record is gone." };
      if (job.payload.decided) {
        await tell(job.payload, job.payload.decided, record);
        return { kind: "done" };
      }
      const { email, list, source } = record;
      const tags = await hooks.filter("cfbe_tags", record.tags, { email, for: "signup", list, source });
      const result = await deliver({
        provider,
        target: { email, list },
        person: { tags, ...(record.name !== undefined && { name: record.name }) },
        unknown: job.unknown,
        queuedAt: job.createdAt,
        first: record.listStatus === undefined,
        takeMark: () => takeMark(run),
      });
      if (result.kind === "trouble") {
        log.warn("delivery.trouble", { list: record.list, attempt: job.attempt, reason: result.reason });
        await tell(run.payload, "queued", record);
        await noteTrouble(run, result.reason);
        const { reason, retryAfterMs, unknown } = result;
        return { kind: "retry", reason, retryAfterMs, unknown };
      }
      const settled = await settle(run, result);
      if (!settled) return { kind: "cancel", reason: "The record was erased during its delivery." };
      for (const { at } of run.payload.signups) meters.delivered(result.outcome, clock.now() - at);
      if (settled.became) confirmed(settled.record, "delivery");
      await tell(run.payload, result.outcome, settled.record);
      return { kind: "done" };
    },
    /** A delivery that dies of age fails its record (decisions §6). Who was told nothing yet is told now. */
    async dead({ payload }, reason) {
      if (!payload) return;
      const record = await cas(kv, [recordKey(payload)], ([entry]: Deno.KvEntryMaybe<unknown>[]) => {
        const before = entry!.value as SignupRecord | null;
        if (before?.status !== "queued") return { value: before };
        const after = move(before, "failed", clock.now(), { reason });
        return { value: after, write: (tx) => void putRecord(tx, before, after) };
      }, { clock, random });
      if (record) await tell(payload, payload.decided ?? "failed", record);
    },
  };
}
