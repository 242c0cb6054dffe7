import { RESEND_INTERVAL_MS } from "../../../shared/limits.ts";
import { mailboxOf } from "../../../shared/mailbox.ts";
import type { Clock, Random } from "../../deps.ts";
import { LeaseLost, type RunningJob } from "../../jobs/handler.ts";
import type { Keyring } from "../../keys/keyring.ts";
import { cas } from "../../kv/cas.ts";
import { keys } from "../../kv/keys.ts";
import type { Policies } from "../../limits/policies.ts";
import { putLog, timesOf } from "../../limits/spend.ts";
import type { SettingsStore } from "../../settings/store.ts";
import { confirmationMark, type MarkerRow } from "./confirmation_mark.ts";
import { afterDelivery, type Delivered } from "./delivery.ts";
import type { DeliveryPayload } from "./payload.ts";
import { withEvent } from "../record/history.ts";
import type { Happened, SignupRecord } from "../record/row.ts";
import { giveBack, spendMail } from "./mail_budget.ts";
import { type OnActive, putRecord } from "../record/record.ts";

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
  takeMark(run: DeliveryRun): Promise<boolean>;
  /** Moves the record, with the mark, the budget and what was decided. Null: the record was erased. */
  settle(run: DeliveryRun, delivered: Delivered): Promise<Settled | null>;
  /**
   * Notes in the record's history why an attempt decided nothing, and that `cfbe_subscribed` has fired.
   *
   * @param unspent this delivery has surely caused no email so far: its place in the budget is given back
   */
  putOff(run: DeliveryRun, why: Happened, unspent: boolean): Promise<void>;
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

type Entry = Deno.KvEntryMaybe<unknown>;

export function createDeliveryWrites(
  { kv, clock, random, keyring, policies, settings, onActive }: DeliveryStore,
): DeliveryWrites {
  const recordKey = ({ payload }: DeliveryRun) => keys.signup(payload.email, payload.list);
  const markKey = ({ payload }: DeliveryRun) => confirmationMark(keyring, payload.email);
  const budget = ({ payload }: DeliveryRun) => policies.confirmationMails(mailboxOf(payload.email));
  const isSingleOptIn = (list: string) =>
    settings.current().general.knownLists.some(({ id, doubleOptIn }) => id === list && !doubleOptIn);

  const marker = (tx: Deno.AtomicOperation, run: DeliveryRun, now: number) =>
    tx.set(markKey(run), { v: 1, at: now } satisfies MarkerRow, { expireIn: 2 * RESEND_INTERVAL_MS });
  const returnPlace = (tx: Deno.AtomicOperation, run: DeliveryRun, log: Entry) =>
    putLog(tx, budget(run), giveBack(timesOf(log), run.payload.spent));

  /** A cas under the job's fence. `progress` is stored in the payload, in the same commit. */
  async function fenced<T>(
    run: DeliveryRun,
    read: Deno.KvKey[],
    decide: (entries: Entry[], now: number) => {
      value: T;
      progress?: Partial<DeliveryPayload>;
      write?: (tx: Deno.AtomicOperation) => void;
    },
  ): Promise<T> {
    const { fence } = run.job;
    const { value, payload } = await cas(
      kv,
      [fence.key, ...read],
      ([row, ...entries]: Entry[]) => {
        if (!fence.holds(row!)) throw new LeaseLost();
        const { value, progress, write } = decide(entries, clock.now());
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

  return {
    spend: (run) =>
      fenced(run, [budget(run).key], ([log], now) => {
        const spending = spendMail(timesOf(log!), run.payload.spent, now);
        if (!spending.spent) return { value: spending.until };
        return {
          value: undefined,
          progress: { spent: now },
          write: (tx) => putLog(tx, budget(run), spending.times),
        };
      }),

    async takeMark(run) {
      if (run.payload.marked) return true;
      return await fenced(run, [markKey(run)], ([entry], now) => {
        const row = entry!.value as MarkerRow | null;
        if (row !== null && now - row.at < RESEND_INTERVAL_MS) return { value: false };
        return { value: true, progress: { marked: true }, write: (tx) => void marker(tx, run, now) };
      });
    },

    settle: (run, delivered) =>
      fenced(run, [recordKey(run), budget(run).key], ([entry, log], now) => {
        const before = entry!.value as SignupRecord | null;
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
            if (unspent) returnPlace(tx, run, log!);
          },
        };
      }),

    putOff: (run, why, unspent) =>
      fenced(run, [recordKey(run), budget(run).key], ([entry, log], now) => {
        const before = entry!.value as SignupRecord | null;
        return {
          value: undefined,
          progress: { signups: [], ...(unspent && { spent: undefined }) },
          write(tx) {
            if (before) putRecord(tx, before, withEvent(before, now, why));
            if (unspent) returnPlace(tx, run, log!);
          },
        };
      }),
  };
}
