import { RESEND_INTERVAL_MS } from "../../../shared/limits.ts";
import { mailboxOf } from "../../../shared/mailbox.ts";
import type { Clock, Random } from "../../platform/deps.ts";
import type { Keyring } from "../../platform/keys/keyring.ts";
import type { Entry, Key } from "../../platform/kv/key.ts";
import type { AtomicOperation, Kv } from "../../platform/kv/port.ts";
import type { LogRow, Policies } from "../../platform/limits/policies.ts";
import { putLog, timesOf } from "../../platform/limits/spend.ts";
import type { SettingsStore } from "../../settings/store/store.ts";
import { confirmationMarker, restoredKey, setConfirmationMarker } from "./confirmation_marker.ts";
import { afterDelivery, type Delivered } from "./delivery.ts";
import type { Erasures } from "./erasure_before.ts";
import { fencedWrite } from "./fenced_write.ts";
import { inboxOf } from "./inbox.ts";
import type { DeliveryPayload } from "./payload.ts";
import { withEvent } from "../record/history.ts";
import type { SignupProviders } from "../record/provider_of.ts";
import { releaseSlot, takeSlot } from "./mail_budget.ts";
import { type OnActive, putRecord } from "../record/record.ts";
import { signupKey, type SignupRecord } from "../record/row.ts";
import { isFarAhead } from "../../platform/time/stored_time.ts";
import type { DeliveryBeginning, DeliveryRun, DeliveryWrites } from "./run.ts";

type Subject = Pick<DeliveryRun, "payload">;

export interface DeliveryStore {
  kv: Kv;
  clock: Clock;
  random: Random;
  keyring: Keyring;
  policies: Policies;
  settings: SettingsStore;
  signupProviders: SignupProviders;
  erasures: Erasures;
  onActive?: OnActive | undefined;
}

/** Creates the writes of a delivery. Each one commits together with the state of its job. */
export function createDeliveryWrites(deps: DeliveryStore): DeliveryWrites {
  const { keyring, policies, settings, signupProviders, erasures, onActive } = deps;
  const recordKey = ({ payload }: Subject) => signupKey(payload.email, payload.list);
  const markerKey = ({ payload }: Subject) => confirmationMarker(keyring, payload.email);
  const budget = ({ payload }: Subject) => policies.confirmationMails(inboxOf(payload.email));
  /** The log under the name that earlier versions gave it, if that was another one. It counts for a day. */
  const olderLog = ({ payload }: Subject): { older?: Key<LogRow> } => {
    const [inbox, mailbox] = [inboxOf(payload.email), mailboxOf(payload.email)];
    return inbox === mailbox ? {} : { older: policies.confirmationMails(mailbox).key };
  };
  const timesIn = (log: Entry<LogRow>, older: Entry<LogRow> | undefined) =>
    older ? [...timesOf(log), ...timesOf(older)].toSorted((a, b) => a - b) : timesOf(log);
  /** Stores a log, in place of one under its older name. */
  const putTimes = (
    tx: AtomicOperation,
    run: Subject,
    times: number[],
    older: Entry<LogRow> | undefined,
  ) => {
    putLog(tx, budget(run), { times });
    if (older && older.versionstamp !== null) tx.delete(older.key);
  };
  const isSingleOptIn = (list: string) =>
    settings.current().general.knownLists.some(({ id, doubleOptIn }) => id === list && doubleOptIn === false);

  /** If pending is invisible, an attempt can't rule out that the one before it sent an email: each has its own slot. */
  const sharesSlot = (record: SignupRecord) =>
    signupProviders.named(signupProviders.nameOf(record))?.capabilities.showsPending ?? true;
  const sendsSeparately = (record: SignupRecord) =>
    signupProviders.named(signupProviders.nameOf(record))?.capabilities.sendsSeparately ?? false;
  /** Returns whether an attempt without effect leaves its slot unused: no earlier one can have caused an email with it. */
  const leavesSlot = ({ job }: DeliveryRun, record: SignupRecord) =>
    sendsSeparately(record) || !(job.unknown && sharesSlot(record));

  const setMarker = (tx: AtomicOperation, run: DeliveryRun, now: number) =>
    setConfirmationMarker(tx, markerKey(run), now);
  const releaseSlotOf = (tx: AtomicOperation, run: DeliveryRun, log: Entry<LogRow>) =>
    putLog(tx, budget(run), { times: releaseSlot(timesOf(log), run.payload.spent) });

  function beginning(payload: DeliveryPayload): DeliveryBeginning {
    const mails = budget({ payload });
    return {
      read: {
        record: recordKey({ payload }),
        log: mails.key,
        ...olderLog({ payload }),
        erased: erasures.marker(payload.email),
      },
      decide({ record: { value: record }, log, older, erased }, now) {
        if (!record) return { value: { record } };
        const value = { record, ...(erased.value && { wasErased: true }) };
        if (!sharesSlot(record)) {
          // The slot of an earlier attempt stays taken, whatever this attempt does.
          const isHeld = payload.spent !== undefined;
          return { value, ...(isHeld && { payload: { ...payload, spent: undefined } }) };
        }
        // The slot of an email that may have been sent stays taken.
        const isSpent = sendsSeparately(record) && payload.mail === "sending";
        const slot = takeSlot(timesIn(log, older), isSpent ? undefined : payload.spent, now);
        if (!slot.taken) return { value: { record, until: slot.until } };
        return {
          value,
          payload: { ...payload, spent: now, ...(isSpent && { mail: "due" as const }) },
          write: (tx) => putTimes(tx, { payload }, slot.times, older),
        };
      },
    };
  }

  return {
    beginning,

    async begin(run) {
      if (run.job.begun) return run.job.begun;
      const { read, decide } = beginning(run.payload);
      const { value } = await fencedWrite(deps, run, read, (entries, now) => {
        const { value, payload, write } = decide(entries, now);
        return { value, ...(payload && { progress: payload }), ...(write && { write }) };
      });
      return value;
    },

    async takeSlot(run, isUnused) {
      const read = { log: budget(run).key, ...olderLog(run) };
      const { value } = await fencedWrite(deps, run, read, ({ log, older }, now) => {
        const slot = takeSlot(timesIn(log, older), isUnused ? run.payload.spent : undefined, now);
        if (!slot.taken) return { value: slot.until };
        const write = (tx: AtomicOperation) => putTimes(tx, run, slot.times, older);
        return { value: undefined, progress: { spent: now }, write };
      });
      return value;
    },

    async takeMarker(run) {
      const { value } = await fencedWrite(
        deps,
        run,
        { marker: markerKey(run), restored: restoredKey() },
        ({ marker: { value: row }, restored: { value: restored } }, now) => {
          const isRecent = restored !== null && !isFarAhead(restored.at, now);
          if (isRecent && now - restored.at < RESEND_INTERVAL_MS) return { value: false };
          const { marked } = run.payload;
          const isOwn = row !== null && (row.at === marked || marked === true);
          // Stored again as now, so that the mailbox waits a day and not until the clock has passed that time.
          if (row !== null && !isOwn && isFarAhead(row.at, now)) {
            return { value: false, progress: {}, write: (tx) => void setMarker(tx, run, now) };
          }
          if (row !== null && !isOwn && now - row.at < RESEND_INTERVAL_MS) return { value: false };
          // Also if it is its own: an old one would let another delivery resend beside this one.
          const progress = { marked: now, mail: "sending" } as const;
          return { value: true, progress, write: (tx) => void setMarker(tx, run, now) };
        },
      );
      return value;
    },

    async beginMail(run) {
      await fencedWrite(deps, run, {}, () => ({ value: undefined, progress: { mail: "sending" } }));
    },

    async settle(run, provider, delivered, endJob) {
      const read = { record: recordKey(run), log: budget(run).key };
      const { value, finished } = await fencedWrite(deps, run, read, ({ record, log }, now) => {
        const before = record.value;
        if (!before || signupProviders.nameOf(before) !== provider) return { value: null };
        const { outcome, mailed } = delivered;
        const { attempt } = run.job;
        const after = { ...settledRecord(before, delivered, { attempt, now }), provider };
        // An address that was on the list before did not become active by this signup. Whoever was pending has confirmed.
        const canBecomeActive = outcome !== "already_active" || before.status === "pending";
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

    async postpone(run, why, hadNoEffect, progress = {}) {
      await fencedWrite(
        deps,
        run,
        { record: recordKey(run), log: budget(run).key },
        ({ record: { value: record }, log }, now) => {
          const release = hadNoEffect && record !== null && leavesSlot(run, record);
          return {
            value: undefined,
            progress: { ...progress, signups: [], ...(release && { spent: undefined }) },
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

function settledRecord(
  before: SignupRecord,
  delivered: Delivered,
  { attempt, now }: { attempt: number; now: number },
): SignupRecord {
  const { outcome, reason, mailed } = delivered;
  const result = reason === undefined ? outcome : `${outcome}: ${reason}`;
  const noEmail = outcome === "pending" && mailed === "no" && { noEmail: true as const };
  const event = { kind: "delivery", attempt, result, ...noEmail } as const;
  return afterDelivery(withEvent(before, now, event), delivered, now);
}
