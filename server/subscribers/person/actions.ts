import { RESEND_INTERVAL_MS } from "../../../shared/limits.ts";
import type { Clock, Random } from "../../platform/deps.ts";
import { addJob, type NewJob } from "../../platform/jobs/add.ts";
import type { Kv } from "../../platform/kv/port.ts";
import { allowAgainJob } from "./allow_again_job.ts";
import { checkJob } from "../../signup/confirm/check_job.ts";
import { resendJob } from "../../signup/delivery/job.ts";
import { jobKey } from "../../platform/jobs/row.ts";
import type { Keyring } from "../../platform/keys/keyring.ts";
import { cas, type Decision } from "../../platform/kv/cas.ts";
import { isFarAhead } from "../../platform/time/stored_time.ts";
import type { Provider, Target } from "../../providers/port/port.ts";
import {
  confirmationMarker,
  type ConfirmationMarkerRow,
  restoredKey,
  setConfirmationMarker,
  sinceRestore,
} from "../../signup/delivery/confirmation_marker.ts";
import { providerOf, type SignupProviders } from "../../signup/record/provider_of.ts";
import { withEvent } from "../../signup/record/history.ts";
import { type EventDetails, signupKey, type SignupRecord } from "../../signup/record/row.ts";
import { putRecord } from "../../signup/record/record.ts";

/** Manual actions on one signup. Each is recorded in its history, in the commit that adds its job. */

export type ActionResult =
  | { kind: "queued" }
  /** There is no such signup. */
  | { kind: "absent" }
  /** Not possible now. */
  | { kind: "refused" } & ActionRefusal;

interface Deps {
  kv: Kv;
  clock: Clock;
  random: Random;
  keyring: Keyring;
  signupProviders: SignupProviders;
  wake: () => void;
  activation: { isActive(): boolean };
}

/** Why nothing is possible while cfbe is deactivated. */
export const DEACTIVATED: ActionRefusal = { reason: "cfbe is deactivated. Activate it first." };

/** Queues a status check, as a webhook does. */
export function checkNow(deps: Deps, target: Target, by: string): Promise<ActionResult> {
  const event = { kind: "admin", act: "check", by } as const;
  return queueAction(
    deps,
    target,
    checkJob(target, "admin"),
    event,
    (record) => providerOf(deps.signupProviders, record) ? undefined : KEY_REMOVED,
  );
}

/**
 * Queues another confirmation email, at most once per day and mailbox (contract 6.6). The signup's own provider sends it,
 * because only that one knows the open confirmation.
 */
export function resend(deps: Deps, target: Target, by: string): Promise<ActionResult> {
  return queueAction(
    deps,
    target,
    resendJob(target),
    { kind: "admin", act: "resend", by },
    (record, marker, now) => resendRefusal(providerOf(deps.signupProviders, record), record, marker, now),
  );
}

/** Why an action is not possible. `reason` is a sentence; `until` (Unix milliseconds) is when it becomes possible. */
export interface ActionRefusal {
  reason: string;
  until?: number;
}

/** Returns the reason with the time in UTC from which the action is possible. */
export function refusalText({ reason, until }: ActionRefusal): string {
  if (until === undefined) return reason;
  return `${reason} You can resend it after ${
    new Date(until).toISOString().slice(0, 16).replace("T", " ")
  } UTC.`;
}

/** Why nothing is possible at a provider that was used before. */
const KEY_REMOVED: ActionRefusal = {
  reason: "The signup is at a provider that was used before, and whose API key is no longer set.",
};

/**
 * Returns why no confirmation email can be resent now, or undefined if it can be asked for. A marker from a clock that was
 * ahead is no reason: it is corrected when a resend is asked for. Pure.
 *
 * @param provider that of the signup; undefined if cfbe can't use it
 */
export function resendRefusal(
  provider: Pick<Provider, "capabilities"> | undefined,
  { status }: Pick<SignupRecord, "status">,
  marker: ConfirmationMarkerRow | null,
  now: number,
): ActionRefusal | undefined {
  if (!provider) return KEY_REMOVED;
  if (!provider.capabilities.resend) return { reason: "This provider cannot resend confirmation emails." };
  if (status === "queued") return { reason: "The signup has not reached the provider yet." };
  if (status !== "pending" && status !== "expired") {
    return { reason: "A confirmation email can be resent only while the signup is unconfirmed." };
  }
  const until = marker && !isFarAhead(marker.at, now) ? marker.at + RESEND_INTERVAL_MS : 0;
  return now >= until ? undefined : { reason: "A confirmation email was already sent today.", until };
}

/**
 * Queues the resubscription of someone who unsubscribed, without another confirmation. Only for people who have asked
 * for it.
 *
 * @param note how they asked, kept in the record's history
 */
export function allowAgain(deps: Deps, target: Target, by: string, note: string): Promise<ActionResult> {
  return queueAction(
    deps,
    target,
    allowAgainJob(target),
    { kind: "admin", act: "allow_again", by, note },
    (record) => allowAgainRefusal(providerOf(deps.signupProviders, record), record),
  );
}

/**
 * Returns why a person cannot be resubscribed, or undefined if they can. Pure.
 *
 * @param provider that of the signup; undefined if cfbe can't use it
 */
export function allowAgainRefusal(
  provider: Pick<Provider, "capabilities"> | undefined,
  { listStatus }: Pick<SignupRecord, "listStatus">,
): ActionRefusal | undefined {
  if (!provider) return KEY_REMOVED;
  if (!provider.capabilities.reactivation) {
    return {
      reason: "This provider cannot resubscribe people. The person has to subscribe there themselves.",
    };
  }
  return listStatus === "unsubscribed"
    ? undefined
    : { reason: "The address is not known to be unsubscribed. Check its status first." };
}

async function queueAction<P>(
  deps: Deps,
  { email, list }: Target,
  job: Omit<NewJob<P>, "due">,
  event: EventDetails,
  refuse: (
    record: SignupRecord,
    marker: ConfirmationMarkerRow | null,
    now: number,
  ) => ActionRefusal | undefined = () => undefined,
): Promise<ActionResult> {
  if (!deps.activation.isActive()) return { kind: "refused", ...DEACTIVATED };
  const read = {
    record: signupKey(email, list),
    existing: jobKey(job.id),
    marker: confirmationMarker(deps.keyring, email),
    restored: restoredKey(),
  };
  const result = await cas(
    deps.kv,
    read,
    ({ record, existing, marker, restored }): Decision<ActionResult> => {
      const before = record.value;
      const now = deps.clock.now();
      if (!before) return { value: { kind: "absent" } };
      const isWrong = marker.value !== null && isFarAhead(marker.value.at, now);
      const counted = isWrong ? { ...marker.value!, at: now } : marker.value;
      const refused = refuse(before, sinceRestore(counted, restored.value, now), now);
      if (refused) {
        return {
          value: { kind: "refused", ...refused },
          // Stored, so that the mailbox waits a day and not until the clock has passed that time.
          ...(isWrong && { write: (tx) => void setConfirmationMarker(tx, marker.key, now) }),
        };
      }
      return {
        value: { kind: "queued" },
        write(tx) {
          putRecord(tx, before, withEvent(before, now, event));
          addJob(tx, existing, { ...job, due: now }, now);
        },
      };
    },
    deps,
  );
  if (result.kind === "queued") deps.wake();
  return result;
}
