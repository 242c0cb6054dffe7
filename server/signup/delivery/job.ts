import type { AttackMode } from "../../platform/attack/attack_mode.ts";
import type { SignupSource } from "../../../shared/contract.ts";
import type { Outcome } from "../../../shared/outcomes.ts";
import type { OnConfirmed } from "../record/record.ts";
import type { Log } from "../../platform/deps.ts";
import type { Hooks } from "../../settings/hooks/hooks.ts";
import { cas } from "../../platform/kv/cas.ts";
import { readRow } from "../../platform/kv/key.ts";
import type { Meters } from "../../platform/observe/meters.ts";
import type { Trouble } from "../../providers/port/trouble.ts";
import { deliver } from "./delivery.ts";
import { DeliveryPayload, mergeDeliveries } from "./payload.ts";
import { propertiesOf } from "./properties.ts";
import { erasureBefore, WAITS_FOR_ERASURE } from "./erasure_before.ts";
import type { Begun, DeliveryRun } from "./run.ts";
import { createDeliveryWrites, type DeliveryStore } from "./writes.ts";
import { unusable } from "../record/provider_of.ts";
import { withoutConsent } from "../record/consents.ts";
import { putRecord } from "../record/record.ts";
import { signupKey, type SignupRecord } from "../record/row.ts";
import { move } from "../record/states.ts";
import type { JobDefinition, JobResult } from "../../platform/jobs/handler.ts";
import type { JobRow } from "../../platform/jobs/row.ts";

export const DELIVER_JOB = "cfbe_deliver_signup";

/** The beginning of the IDs of all delivery jobs. */
export const DELIVER_JOB_PREFIX = "deliver:";

/** Returns the ID of a record's delivery job: there is at most one per record. */
export function deliverJobId({ email, list }: { email: string; list: string }): string {
  return `${DELIVER_JOB_PREFIX}${list}:${email}`;
}

/**
 * Returns the delivery job of a record, to be added in the commit that accepts the signup. If the record already has a
 * waiting delivery, the signup is merged into it.
 */
export function deliverJob(
  target: { email: string; list: string },
  signup: { id: string; source: SignupSource; at: number },
) {
  const payload: DeliveryPayload = { email: target.email, list: target.list, signups: [signup] };
  return { id: deliverJobId(target), name: DELIVER_JOB, payload, merge: mergeDeliveries } as const;
}

/** Returns a delivery job that resends the confirmation email, unless the mailbox's 24-hour marker blocks it. */
export function resendJob(target: { email: string; list: string }) {
  const payload: DeliveryPayload = { email: target.email, list: target.list, signups: [] };
  return { id: deliverJobId(target), name: DELIVER_JOB, payload, merge: mergeDeliveries } as const;
}

/** Returns the payload of a stored delivery job, or undefined for any other job. */
export function deliveryOf({ name, payload }: JobRow): DeliveryPayload | undefined {
  return name === DELIVER_JOB ? DeliveryPayload.safeParse(payload).data : undefined;
}

/** A `listStatusAt` of no record. */
const NEVER = -1;
const WAITS_FOR_BUDGET = "This mailbox has been sent three confirmation emails within 24 hours. " +
  "The delivery waits until another one is allowed.";

const NO_SLOT: Trouble = {
  kind: "trouble",
  // Not "rate_limited", after which no call of the account is sent for a while.
  code: "cancelled",
  reason: WAITS_FOR_BUDGET,
  unknown: false,
};

/** How often a held delivery looks whether the attack is over, in milliseconds. */
const HELD_MS = 5 * 60 * 1000;

interface Options extends DeliveryStore {
  attackMode: Pick<AttackMode, "holds">;
  hooks: Hooks;
  log: Log;
  meters: Meters;
  onConfirmed: OnConfirmed;
}

/** Delivers each signup to the provider that it was accepted for, updates its record and fires `cfbe_subscribed`. */
export function deliverSignup(options: Options): JobDefinition<DeliveryPayload, Begun> {
  const {
    kv,
    clock,
    random,
    signupProviders,
    erasures,
    settings,
    hooks,
    log,
    meters,
    onConfirmed,
    attackMode,
  } = options;
  const writes = createDeliveryWrites(options);
  const recordKey = ({ email, list }: DeliveryPayload) => signupKey(email, list);

  /** Whether it waits for the end of an attack. One that has begun goes on, because its email may have been sent. */
  const isHeld = ({ decided, spent, signups }: DeliveryPayload) =>
    !decided && spent === undefined && signups.length > 0 && attackMode.holds(signups);

  /** Whether `cfbe_subscribed` has to fire for signups of this delivery. */
  const hasToNotify = ({ signups }: DeliveryPayload) => signups.length > 0 && hooks.has("cfbe_subscribed");

  async function notify({ email, list, signups }: DeliveryPayload, outcome: Outcome, row: SignupRecord) {
    const record = withoutConsent(row);
    for (const { source, at } of signups) {
      await hooks.emit("cfbe_subscribed", { email, list, source, outcome, record, at });
    }
  }

  /** Postpones a delivery until the mailbox may be sent another email. */
  async function waitForBudget(run: DeliveryRun, record: SignupRecord, until: number): Promise<JobResult> {
    log.info("delivery.waiting", { list: record.list });
    await notify(run.payload, "queued", record);
    await writes.postpone(run, { kind: "waiting", reason: WAITS_FOR_BUDGET }, false);
    return { kind: "snooze", until, reason: "The mailbox's mail budget is used up." };
  }

  return {
    name: DELIVER_JOB,
    payload: DeliveryPayload,
    merge: mergeDeliveries,
    afterRetention: (payload) => payload,
    begin: (payload) => payload.decided || isHeld(payload) ? undefined : writes.beginning(payload),
    async handle(job) {
      const run: DeliveryRun = { job, payload: job.payload };
      const { decided } = job.payload;
      if (isHeld(job.payload)) {
        return {
          kind: "snooze",
          until: clock.now() + HELD_MS,
          reason: "Attack mode holds confirmation emails.",
        };
      }
      const { record, until, wasErased } = decided
        ? { record: await readRow(kv, recordKey(job.payload)), until: undefined, wasErased: false }
        : await writes.begin(run);
      if (!record) return { kind: "cancel", reason: "The record no longer exists." };
      if (decided) {
        await notify(job.payload, decided, record);
        return { kind: "done" };
      }
      const { email, list, source } = record;
      if (until !== undefined) return await waitForBudget(run, record, until);
      const name = signupProviders.nameOf(record);
      let askedAt = clock.now();
      const noteTime = () => {
        askedAt = clock.now();
        return Promise.resolve(undefined);
      };
      const provider = signupProviders.named(name, noteTime);
      const erasure = wasErased && provider
        ? await erasureBefore(erasures, clock, run, { name, provider })
        : "done";
      if (erasure !== "done") {
        log.info("delivery.waiting", { list });
        await notify(run.payload, "queued", record);
        const why = { kind: "waiting", reason: WAITS_FOR_ERASURE } as const;
        await writes.postpone(run, why, true, { erasureSeen: erasure.seen });
        return { kind: "snooze", until: erasure.until, reason: WAITS_FOR_ERASURE };
      }
      let slotFreesAt: number | undefined;
      let isUnused = false;
      const takeSlot = async () => {
        askedAt = clock.now();
        slotFreesAt = await writes.takeSlot(run, isUnused);
        isUnused = false;
        return slotFreesAt === undefined ? undefined : NO_SLOT;
      };
      const tags = await hooks.filter("cfbe_tags", record.tags, { email, for: "signup", list, source });
      const properties = propertiesOf(settings.current(), record, provider?.capabilities.properties);
      const sender = provider?.capabilities.showsPending ? provider : signupProviders.named(name, takeSlot);
      const result = provider && sender
        ? await deliver({
          provider,
          sender,
          target: { email, list },
          person: {
            tags,
            ...(record.name !== undefined && { name: record.name }),
            ...(properties && { properties }),
          },
          unknown: job.unknown,
          known: record.listStatus,
          takeMarker: () => writes.takeMarker(run),
          earlier: run.payload,
          beginMail: () => writes.beginMail(run),
          hadNoEffect: () => isUnused = true,
          askedAt: () => askedAt,
        })
        : { ...unusable(name), mailed: "no" as const };
      if (slotFreesAt !== undefined) return await waitForBudget(run, record, slotFreesAt);
      if (result.kind === "trouble") {
        const { reason, held, mailed, owesMail } = result;
        const { attempt } = job;
        if (held) log.info("delivery.waiting", { list });
        else log.warn("delivery.failed", { job: job.id, email, list, attempt, reason });
        const why = held
          ? { kind: "waiting", reason } as const
          : { kind: "delivery", attempt, result: reason, failed: true } as const;
        await notify(run.payload, "queued", record);
        await writes.postpone(run, why, mailed === "no", owesMail && { mail: "due" });
        return { ...result, kind: "retry" };
      }
      // The event fires at least once, so the job must outlive the commit until it has fired.
      const delivered = { ...result, knownAt: record.listStatusAt ?? NEVER };
      const settled = await writes.settle(run, name, delivered, !hasToNotify(run.payload));
      if (!settled) {
        return {
          kind: "cancel",
          reason: "The record was erased, or accepted for another provider, during its delivery.",
        };
      }
      for (const { at } of run.payload.signups) meters.delivered(result.outcome, clock.now() - at);
      if (settled.becameActive) onConfirmed(settled.record, "delivery");
      if (settled.finished) return settled.finished;
      await notify(run.payload, result.outcome, settled.record);
      return { kind: "done" };
    },
    /** A delivery that runs out of retries fails its record (contract 6.4) and reports the outcome if it has not yet. */
    async onDead({ payload }, reason) {
      if (!payload) return;
      const record = await cas(kv, { record: recordKey(payload) }, ({ record: { value: before } }) => {
        if (before?.status !== "queued") return { value: before };
        const after = move(before, "failed", clock.now(), { reason });
        return { value: after, write: (tx) => void putRecord(tx, before, after) };
      }, { clock, random });
      if (record) await notify(payload, payload.decided ?? "failed", record);
    },
  };
}
