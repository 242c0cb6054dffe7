/** One attempt of a delivery, and the commits that it makes (`writes.ts`). */
import type { Beginning, Begun as BegunJob, Finished, RunningJob } from "../../platform/jobs/handler.ts";
import type { EntriesOf, NamedKeys } from "../../platform/kv/entries.ts";
import type { Key } from "../../platform/kv/key.ts";
import type { LogRow } from "../../platform/limits/policies.ts";
import type { ErasedRow } from "../record/erased_row.ts";
import type { EventDetails, SignupRecord } from "../record/row.ts";
import type { Delivered } from "./delivery.ts";
import type { DeliveryPayload } from "./payload.ts";

/** One attempt, with the payload as currently stored. */
export interface DeliveryRun {
  job: RunningJob<DeliveryPayload, Begun>;
  payload: DeliveryPayload;
}

/** What an attempt begins with. */
export interface Begun {
  /** Null if it was erased; then no slot was taken. */
  record: SignupRecord | null;
  /** When to try again, Unix milliseconds, because the mailbox's mail budget is used up. */
  until?: number;
  /** Whether the address was erased lately, so that an erasure at a provider may still be open. */
  wasErased?: boolean;
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
   * `mail_budget.ts`), unless it has to call `takeSlot`.
   */
  beginning(payload: DeliveryPayload): DeliveryBeginning;
  /** Begins an attempt, if its claim has not. Must precede the calls. */
  begin(run: DeliveryRun): Promise<Begun>;
  /**
   * Takes a slot of the mailbox's mail budget, at a provider that does not show pending subscribers. Must precede the call
   * that may cause an email.
   *
   * @param isUnused whether the slot of the call before it, in this attempt, can be used for this one
   * @returns when to try again, Unix milliseconds, if no slot is free; otherwise undefined
   */
  takeSlot(run: DeliveryRun, isUnused: boolean): Promise<number | undefined>;
  /** Takes the mailbox's 24-hour marker, and stores that the resend begins. Returns false if another delivery has it. */
  takeMarker(run: DeliveryRun): Promise<boolean>;
  /** Stores that the call begins that sends the first confirmation email. */
  beginMail(run: DeliveryRun): Promise<void>;
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
   * @param progress other changes to the payload
   */
  postpone(
    run: DeliveryRun,
    why: EventDetails,
    hadNoEffect: boolean,
    progress?: Pick<DeliveryPayload, "mail" | "erasureSeen">,
  ): Promise<void>;
}

interface BeginningKeys extends NamedKeys {
  record: Key<SignupRecord>;
  log: Key<LogRow>;
  /** The log under the name that earlier versions gave it, if that was another one. */
  older?: Key<LogRow>;
  erased: Key<ErasedRow>;
}
export interface DeliveryBeginning extends Beginning<Begun, BeginningKeys> {
  decide(entries: EntriesOf<BeginningKeys>, now: number): BegunJob<Begun, DeliveryPayload>;
}
