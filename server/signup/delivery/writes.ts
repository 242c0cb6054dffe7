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

/** One attempt, and the payload as it is stored by now. */
export interface DeliveryRun {
  job: RunningJob<DeliveryPayload>;
  payload: DeliveryPayload;
}

export interface Settled {
  record: SignupRecord;
  /** It was not active before, and is by this delivery. */
  became: boolean;
}

/** What a delivery writes. Each call is one commit, which an attempt that has lost its lease can't make. */
export interface DeliveryWrites {
  /**
   * Takes a place in the mailbox's mail budget (see `mail_budget.ts`); to be called before the provider is.
   *
   * @returns undefined, or when to try again, Unix milliseconds
   */
  spend(run: DeliveryRun): Promise<number | undefined>;
  /** Takes the mailbox's 24-hour mark; false while another delivery's holds. */
  takeMarker(run: DeliveryRun): Promise<boolean>;
  /** Moves the record, with the mark, the budget and what was decided. Null: the record was erased. */
  settle(run: DeliveryRun, delivered: Delivered): Promise<Settled | null>;
  /**
   * Notes in the record's history why an attempt decided nothing, and that `cfbe_subscribed` has fired.
   *
   * @param unspent this delivery has surely caused no email so far: its place in the budget is given back
   */
  postpone(run: DeliveryRun, why: EventDetails, unspent: boolean): Promise<void>;
}

/** Where a delivery writes, and what decides what it writes. */
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

  const marker = (tx: Deno.AtomicOperation, run: DeliveryRun, now: number) =>
    tx.set(markerKey(run), { v: 1, at: now } satisfies ConfirmationMarkerRow, {
      expireIn: 2 * RESEND_INTERVAL_MS,
    });
  const returnPlace = (tx: Deno.AtomicOperation, run: DeliveryRun, log: Entry<LogRow>) =>
    putLog(tx, budget(run), releaseSlot(timesOf(log), run.payload.spent));

  /** Runs a `cas` under the job's fence. `progress` is stored in the payload, in the same commit. */
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
    spend: (run) =>
      fenced(run, { log: budget(run).key }, ({ log }, now) => {
        const spending = takeSlot(timesOf(log), run.payload.spent, now);
        if (!spending.spent) return { value: spending.until };
        return {
          value: undefined,
          progress: { spent: now },
          write: (tx) => putLog(tx, budget(run), spending.times),
        };
      }),

    async takeMarker(run) {
      if (run.payload.marked) return true;
      return await fenced(run, { mark: markerKey(run) }, ({ mark: { value: row } }, now) => {
        if (row !== null && now - row.at < RESEND_INTERVAL_MS) return { value: false };
        return { value: true, progress: { marked: true }, write: (tx) => void marker(tx, run, now) };
      });
    },

    settle: (run, delivered) =>
      fenced(run, { record: recordKey(run), log: budget(run).key }, ({ record, log }, now) => {
        const before = record.value;
        if (!before) return { value: null };
        const { outcome, reason, mailed } = delivered;
        const result = reason === undefined ? outcome : `${outcome}: ${reason}`;
        const event = { kind: "delivery", attempt: run.job.attempt, result } as const;
        const after = afterDelivery(withEvent(before, now, event), delivered, now);
        // Who had been on the list before has not become active by this signup.
        const mayBecome = outcome !== "already_active";
        const unspent = mailed === "perhaps"
          ? isSingleOptIn(before.list)
          : mailed === "no" && !run.job.unknown;
        return {
          value: {
            record: after,
            became: mayBecome && before.status !== "active" && after.status === "active",
          },
          progress: { decided: outcome, ...(unspent && { spent: undefined }) },
          write(tx) {
            putRecord(tx, before, after, mayBecome ? onActive : undefined);
            if (mailed === "yes") marker(tx, run, now);
            if (unspent) returnPlace(tx, run, log);
          },
        };
      }),

    postpone: (run, why, unspent) =>
      fenced(run, { record: recordKey(run), log: budget(run).key }, ({ record, log }, now) => ({
        value: undefined,
        progress: { signups: [], ...(unspent && { spent: undefined }) },
        write(tx) {
          if (record.value) putRecord(tx, record.value, withEvent(record.value, now, why));
          if (unspent) returnPlace(tx, run, log);
        },
      })),
  };
}
