import { RESEND_INTERVAL_MS } from "../../../shared/limits.ts";
import { mailboxOf } from "../../../shared/mailbox.ts";
import type { Clock, Random } from "../../deps.ts";
import type { Beginning, Begun as BegunJob, Finished, RunningJob } from "../../jobs/handler.ts";
import type { Keyring } from "../../keys/keyring.ts";
import { cas } from "../../kv/cas.ts";
import type { EntriesOf, NamedKeys } from "../../kv/entries.ts";
import type { Entry, Key } from "../../kv/key.ts";
import type { LogRow, Policies } from "../../limits/policies.ts";
import { putLog, timesOf } from "../../limits/spend.ts";
import type { SettingsStore } from "../../settings/store.ts";
import { confirmationMarker, type ConfirmationMarkerRow } from "./confirmation_marker.ts";
import { afterDelivery, type Delivered } from "./delivery.ts";
import type { DeliveryPayload } from "./payload.ts";
import { withEvent } from "../record/history.ts";
import type { SignupProviders } from "../record/provider_of.ts";
import { releaseSlot, takeSlot } from "./mail_budget.ts";
import { type OnActive, putRecord } from "../record/record.ts";
import { type EventDetails, signupKey, type SignupRecord } from "../record/row.ts";

/** One attempt, with the payload as currently stored. */
export interface DeliveryRun {
  job: RunningJob<DeliveryPayload, Begun>;
  payload: DeliveryPayload;
}

type Subject = Pick<DeliveryRun, "payload">;

/** What an attempt begins with. */
export interface Begun {
  /** Null if it was erased; then no slot was taken. */
  record: SignupRecord | null;
  /** When to try again, Unix milliseconds, because the mailbox's mail budget is used up. */
  until?: number;
}

export interface Settled {
  record: SignupRecord;
  /** Whether this delivery made the record active. */
  becameActive: boolean;
  /** The job's result, if the commit has ended the job too. */
  finished?: Finished;
}

/** The writes of a delivery. Each is one commit, which fails if the attempt has lost its lease. */
export interface DeliveryWrites {
  /**
   * Returns how an attempt begins: it reads the record and takes a slot of the mailbox's mail budget (see
   * `mail_budget.ts`).
   */
  beginning(payload: DeliveryPayload): DeliveryBeginning;
  /** Begins an attempt, if its claim has not. Must precede the calls. */
  begin(run: DeliveryRun): Promise<Begun>;
  /** Takes the mailbox's 24-hour marker. Returns false if another delivery has taken it. */
  takeMarker(run: DeliveryRun): Promise<boolean>;
  /**
   * Updates the record, the marker, the budget and the payload. Returns null if the record was erased, or was accepted
   * again for another provider meanwhile.
   *
   * @param provider the name of the provider that it was delivered to
   * @param endJob whether to end the job in the same commit, because nothing remains to be done
   */
  settle(
    run: DeliveryRun,
    provider: string,
    delivered: Delivered,
    endJob: boolean,
  ): Promise<Settled | null>;
  /**
   * Adds to the record's history why an attempt had no result, and stores that `cfbe_subscribed` has fired.
   *
   * @param hadNoEffect whether this attempt cannot have caused an email, so that its slot may be released
   */
  postpone(run: DeliveryRun, why: EventDetails, hadNoEffect: boolean): Promise<void>;
}

interface BeginningKeys extends NamedKeys {
  record: Key<SignupRecord>;
  log: Key<LogRow>;
}
export interface DeliveryBeginning extends Beginning<Begun, BeginningKeys> {
  decide(entries: EntriesOf<BeginningKeys>, now: number): BegunJob<Begun, DeliveryPayload>;
}

export interface DeliveryStore {
  kv: Deno.Kv;
  clock: Clock;
  random: Random;
  keyring: Keyring;
  policies: Policies;
  settings: SettingsStore;
  signupProviders: SignupProviders;
  onActive?: OnActive | undefined;
}

export function createDeliveryWrites(
  { kv, clock, random, keyring, policies, settings, signupProviders, onActive }: DeliveryStore,
): DeliveryWrites {
  const recordKey = ({ payload }: Subject) => signupKey(payload.email, payload.list);
  const markerKey = ({ payload }: Subject) => confirmationMarker(keyring, payload.email);
  const budget = ({ payload }: Subject) => policies.confirmationMails(mailboxOf(payload.email));
  const isSingleOptIn = (list: string) =>
    settings.current().general.knownLists.some(({ id, doubleOptIn }) => id === list && doubleOptIn === false);

  /** If pending is invisible, an attempt can't rule out that the one before it sent an email: each has its own slot. */
  const sharesSlot = (record: SignupRecord) =>
    signupProviders.named(signupProviders.nameOf(record))?.capabilities.showsPending ?? true;
  /** Returns whether an attempt without effect leaves its slot unused. */
  const leavesSlot = ({ job }: DeliveryRun, record: SignupRecord) => !(job.unknown && sharesSlot(record));

  const setMarker = (tx: Deno.AtomicOperation, run: DeliveryRun, now: number) =>
    tx.set(markerKey(run), { v: 1, at: now } satisfies ConfirmationMarkerRow, {
      expireIn: 2 * RESEND_INTERVAL_MS,
    });
  const releaseSlotOf = (tx: Deno.AtomicOperation, run: DeliveryRun, log: Entry<LogRow>) =>
    putLog(tx, budget(run), releaseSlot(timesOf(log), run.payload.spent));

  /**
   * Runs a `cas` with the job's fence. In the same commit, stores `progress` in the payload, or ends the job if
   * `endJob` is true. Returns the value, and the job's result if it has ended.
   */
  async function fenced<Keys extends NamedKeys, T>(
    run: DeliveryRun,
    read: Keys,
    decide: (entries: EntriesOf<Keys>, now: number) => {
      value: T;
      progress?: Partial<DeliveryPayload>;
      endJob?: boolean;
      write?: (tx: Deno.AtomicOperation) => void;
    },
  ): Promise<{ value: T; finished?: Finished }> {
    const { fence } = run.job;
    let finished: Finished | undefined;
    const { value, payload } = await cas(kv, { job: fence.key, read }, ({ job, read }) => {
      const now = clock.now();
      const { value, progress, endJob, write } = decide(read, now);
      if (!progress) return { value: { value, payload: run.payload } };
      const payload = { ...run.payload, ...progress };
      return {
        value: { value, payload },
        write(tx) {
          write?.(tx);
          if (endJob) finished = fence.finish(tx, job, now);
          else fence.update(tx, job, { payload });
        },
      };
    }, { clock, random, fence, seen: run.job.seen });
    run.payload = payload;
    return { value, ...(finished && { finished }) };
  }

  function beginning(payload: DeliveryPayload): DeliveryBeginning {
    const mails = budget({ payload });
    return {
      read: { record: recordKey({ payload }), log: mails.key },
      decide({ record: { value: record }, log }, now) {
        if (!record) return { value: { record } };
        const slot = takeSlot(timesOf(log), sharesSlot(record) ? payload.spent : undefined, now);
        if (!slot.taken) return { value: { record, until: slot.until } };
        return {
          value: { record },
          payload: { ...payload, spent: now },
          write: (tx) => putLog(tx, mails, slot.times),
        };
      },
    };
  }

  return {
    beginning,

    async begin(run) {
      if (run.job.begun) return run.job.begun;
      const { read, decide } = beginning(run.payload);
      const { value } = await fenced(run, read, (entries, now) => {
        const { value, payload, write } = decide(entries, now);
        return { value, ...(payload && { progress: payload }), ...(write && { write }) };
      });
      return value;
    },

    async takeMarker(run) {
      const { value } = await fenced(run, { marker: markerKey(run) }, ({ marker: { value: row } }, now) => {
        const { marked } = run.payload;
        const isOwn = row !== null && (row.at === marked || marked === true);
        if (row !== null && !isOwn && now - row.at < RESEND_INTERVAL_MS) return { value: false };
        // Also if it is its own: an old one would let another delivery resend beside this one.
        return { value: true, progress: { marked: now }, write: (tx) => void setMarker(tx, run, now) };
      });
      return value;
    },

    async settle(run, provider, delivered, endJob) {
      const read = { record: recordKey(run), log: budget(run).key };
      const { value, finished } = await fenced(run, read, ({ record, log }, now) => {
        const before = record.value;
        if (!before || signupProviders.nameOf(before) !== provider) return { value: null };
        const { outcome, reason, mailed } = delivered;
        const result = reason === undefined ? outcome : `${outcome}: ${reason}`;
        const event = { kind: "delivery", attempt: run.job.attempt, result } as const;
        const after = {
          ...afterDelivery(withEvent(before, now, event), delivered, now),
          provider,
        };
        // An address that was on the list before did not become active by this signup.
        const canBecomeActive = outcome !== "already_active";
        const release = mailed === "maybe"
          ? isSingleOptIn(before.list)
          : mailed === "no" && leavesSlot(run, before);
        return {
          value: {
            // As `putRecord` stores it.
            record: { ...after, v: 2 as const },
            becameActive: canBecomeActive && before.status !== "active" && after.status === "active",
          },
          progress: { decided: outcome, ...(release && { spent: undefined }) },
          endJob,
          write(tx) {
            putRecord(tx, before, after, canBecomeActive ? onActive : undefined);
            if (mailed === "yes") setMarker(tx, run, now);
            if (release) releaseSlotOf(tx, run, log);
          },
        };
      });
      return value && { ...value, ...(finished && { finished }) };
    },

    async postpone(run, why, hadNoEffect) {
      await fenced(
        run,
        { record: recordKey(run), log: budget(run).key },
        ({ record: { value: record }, log }, now) => {
          const release = hadNoEffect && record !== null && leavesSlot(run, record);
          return {
            value: undefined,
            progress: { signups: [], ...(release && { spent: undefined }) },
            write(tx) {
              if (record) putRecord(tx, record, withEvent(record, now, why));
              if (release) releaseSlotOf(tx, run, log);
            },
          };
        },
      );
    },
  };
}
