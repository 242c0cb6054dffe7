import { RESEND_INTERVAL_MS } from "../../../shared/limits.ts";
import { mailboxOf } from "../../../shared/mailbox.ts";
import type { Clock, Random } from "../../deps.ts";
import type { RunningJob } from "../../jobs/handler.ts";
import type { Keyring } from "../../keys/keyring.ts";
import { cas } from "../../kv/cas.ts";
import type { EntriesOf, NamedKeys } from "../../kv/entries.ts";
import type { Entry } from "../../kv/key.ts";
import type { LogRow, Policies } from "../../limits/policies.ts";
import { putLog, timesOf } from "../../limits/spend.ts";
import type { SettingsStore } from "../../settings/store.ts";
import { confirmationMarker, type ConfirmationMarkerRow } from "./confirmation_marker.ts";
import { afterDelivery, type Delivered } from "./delivery.ts";
import type { DeliveryPayload } from "./payload.ts";
import { withEvent } from "../record/history.ts";
import { releaseSlot, takeSlot } from "./mail_budget.ts";
import { type OnActive, putRecord } from "../record/record.ts";
import { type EventDetails, signupKey, type SignupRecord } from "../record/row.ts";

/** One attempt, with the payload as currently stored. */
export interface DeliveryRun {
  job: RunningJob<DeliveryPayload>;
  payload: DeliveryPayload;
}

export interface Settled {
  record: SignupRecord;
  /** Whether this delivery made the record active. */
  becameActive: boolean;
}

/** The writes of a delivery. Each is one commit, which fails if the attempt has lost its lease. */
export interface DeliveryWrites {
  /**
   * Takes a slot of the mailbox's mail budget (see `mail_budget.ts`). Must be called before the provider.
   *
   * @returns undefined, or when to try again, in Unix milliseconds
   */
  takeSlot(run: DeliveryRun): Promise<number | undefined>;
  /** Takes the mailbox's 24-hour marker. Returns false if another delivery has taken it. */
  takeMarker(run: DeliveryRun): Promise<boolean>;
  /** Updates the record, the marker, the budget and the payload. Returns null if the record was erased. */
  settle(run: DeliveryRun, delivered: Delivered): Promise<Settled | null>;
  /**
   * Adds to the record's history why an attempt had no result, and stores that `cfbe_subscribed` has fired.
   *
   * @param release whether to release the slot, because this delivery cannot have caused an email so far
   */
  postpone(run: DeliveryRun, why: EventDetails, release: boolean): Promise<void>;
}

export interface DeliveryStore {
  kv: Deno.Kv;
  clock: Clock;
  random: Random;
  keyring: Keyring;
  policies: Policies;
  settings: SettingsStore;
  onActive?: OnActive | undefined;
}

export function createDeliveryWrites(
  { kv, clock, random, keyring, policies, settings, onActive }: DeliveryStore,
): DeliveryWrites {
  const recordKey = ({ payload }: DeliveryRun) => signupKey(payload.email, payload.list);
  const markerKey = ({ payload }: DeliveryRun) => confirmationMarker(keyring, payload.email);
  const budget = ({ payload }: DeliveryRun) => policies.confirmationMails(mailboxOf(payload.email));
  const isSingleOptIn = (list: string) =>
    settings.current().general.knownLists.some(({ id, doubleOptIn }) => id === list && !doubleOptIn);

  const setMarker = (tx: Deno.AtomicOperation, run: DeliveryRun, now: number) =>
    tx.set(markerKey(run), { v: 1, at: now } satisfies ConfirmationMarkerRow, {
      expireIn: 2 * RESEND_INTERVAL_MS,
    });
  const releaseSlotOf = (tx: Deno.AtomicOperation, run: DeliveryRun, log: Entry<LogRow>) =>
    putLog(tx, budget(run), releaseSlot(timesOf(log), run.payload.spent));

  /** Runs a `cas` with the job's fence, and stores `progress` in the payload in the same commit. */
  async function fenced<Keys extends NamedKeys, T>(
    run: DeliveryRun,
    read: Keys,
    decide: (entries: EntriesOf<Keys>, now: number) => {
      value: T;
      progress?: Partial<DeliveryPayload>;
      write?: (tx: Deno.AtomicOperation) => void;
    },
  ): Promise<T> {
    const { fence } = run.job;
    const { value, payload } = await cas(kv, { job: fence.key, read }, ({ job, read }) => {
      const { value, progress, write } = decide(read, clock.now());
      if (!progress) return { value: { value, payload: run.payload } };
      const payload = { ...run.payload, ...progress };
      return {
        value: { value, payload },
        write(tx) {
          write?.(tx);
          fence.update(tx, job, { payload });
        },
      };
    }, { clock, random, fence });
    run.payload = payload;
    return value;
  }

  return {
    takeSlot: (run) =>
      fenced(run, { log: budget(run).key }, ({ log }, now) => {
        const slot = takeSlot(timesOf(log), run.payload.spent, now);
        if (!slot.taken) return { value: slot.until };
        return {
          value: undefined,
          progress: { spent: now },
          write: (tx) => putLog(tx, budget(run), slot.times),
        };
      }),

    takeMarker: (run) =>
      fenced(run, { marker: markerKey(run) }, ({ marker: { value: row } }, now) => {
        const { marked } = run.payload;
        const isOwn = row !== null && (row.at === marked || marked === true);
        if (row !== null && !isOwn && now - row.at < RESEND_INTERVAL_MS) return { value: false };
        // Also if it is its own: an old one would let another delivery resend beside this one.
        return { value: true, progress: { marked: now }, write: (tx) => void setMarker(tx, run, now) };
      }),

    settle: (run, delivered) =>
      fenced(run, { record: recordKey(run), log: budget(run).key }, ({ record, log }, now) => {
        const before = record.value;
        if (!before) return { value: null };
        const { outcome, reason, mailed } = delivered;
        const result = reason === undefined ? outcome : `${outcome}: ${reason}`;
        const event = { kind: "delivery", attempt: run.job.attempt, result } as const;
        const after = afterDelivery(withEvent(before, now, event), delivered, now);
        // An address that was on the list before did not become active by this signup.
        const canBecomeActive = outcome !== "already_active";
        const release = mailed === "maybe" ? isSingleOptIn(before.list) : mailed === "no" && !run.job.unknown;
        return {
          value: {
            record: after,
            becameActive: canBecomeActive && before.status !== "active" && after.status === "active",
          },
          progress: { decided: outcome, ...(release && { spent: undefined }) },
          write(tx) {
            putRecord(tx, before, after, canBecomeActive ? onActive : undefined);
            if (mailed === "yes") setMarker(tx, run, now);
            if (release) releaseSlotOf(tx, run, log);
          },
        };
      }),

    postpone: (run, why, release) =>
      fenced(run, { record: recordKey(run), log: budget(run).key }, ({ record, log }, now) => ({
        value: undefined,
        progress: { signups: [], ...(release && { spent: undefined }) },
        write(tx) {
          if (record.value) putRecord(tx, record.value, withEvent(record.value, now, why));
          if (release) releaseSlotOf(tx, run, log);
        },
      })),
  };
}
