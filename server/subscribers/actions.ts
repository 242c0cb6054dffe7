import { RESEND_INTERVAL_MS } from "../../shared/limits.ts";
import type { Clock, Random } from "../deps.ts";
import { addJob, type NewJob } from "../jobs/add.ts";
import { allowAgainJob } from "./allow_again_job.ts";
import { checkJob } from "../confirm/check_job.ts";
import { resendJob } from "../signup/delivery/job.ts";
import { jobKey } from "../jobs/row.ts";
import type { Keyring } from "../keys/keyring.ts";
import { cas, type Decision } from "../kv/cas.ts";
import type { Provider, Target } from "../provider/port.ts";
import { confirmationMarker, type ConfirmationMarkerRow } from "../signup/delivery/confirmation_marker.ts";
import { withEvent } from "../signup/record/history.ts";
import { type EventDetails, signupKey, type SignupRecord } from "../signup/record/row.ts";
import { putRecord } from "../signup/record/record.ts";

/** What somebody may do about one signup by hand. Each is noted in its history, in the commit that adds its job. */

export type ActionResult =
  | { kind: "queued" }
  /** There is no such signup. */
  | { kind: "absent" }
  /** It is not to be done now, and why: a sentence. */
  | { kind: "refused"; reason: string; until?: number };

interface Deps {
  kv: Deno.Kv;
  clock: Clock;
  random: Random;
  keyring: Keyring;
  provider: Provider;
  wake: () => void;
  activation: { isActive(): boolean };
}

const DEACTIVATED: ActionResult = { kind: "refused", reason: "cfbe is deactivated. Activate it first." };

/** Ask the provider about it, as a webhook would have it asked. */
export function checkNow(deps: Deps, target: Target, by: string): Promise<ActionResult> {
  return queueAction(deps, target, checkJob(target, "admin"), { kind: "admin", act: "check", by });
}

/** Mail the confirmation again. Once a day a mailbox holds, whoever asks (contract 6.6). */
export function resend(deps: Deps, target: Target, by: string): Promise<ActionResult> {
  return queueAction(
    deps,
    target,
    resendJob(target),
    { kind: "admin", act: "resend", by },
    (record, marker, now) => {
      if (!deps.provider.capabilities.resend) {
        return { reason: "This provider has no way to mail a confirmation again." };
      }
      if (record.status !== "pending" && record.status !== "expired") {
        return { reason: "Only who has not confirmed yet can be mailed again." };
      }
      const until = marker ? marker.at + RESEND_INTERVAL_MS : 0;
      if (now >= until) return undefined;
      return { reason: "A mailbox gets one confirmation mail a day, and has had it.", until };
    },
  );
}

/**
 * Bring one back who has left, without another confirmation: only ever for who asked for it in another way.
 *
 * @param note how they asked; kept in the record's history
 */
export function allowAgain(deps: Deps, target: Target, by: string, note: string): Promise<ActionResult> {
  return queueAction(
    deps,
    target,
    allowAgainJob(target),
    { kind: "admin", act: "allow_again", by, note },
    (record) => {
      if (!deps.provider.capabilities.reactivation) {
        return { reason: "This provider lets nobody be brought back: the person has to subscribe there." };
      }
      return record.listStatus === "unsubscribed"
        ? undefined
        : { reason: "The address has not left its list, as far as is known: check it first." };
    },
  );
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
  ) => { reason: string; until?: number } | undefined = () => undefined,
): Promise<ActionResult> {
  if (!deps.activation.isActive()) return DEACTIVATED;
  const read = {
    record: signupKey(email, list),
    existing: jobKey(job.id),
    marker: confirmationMarker(deps.keyring, email),
  };
  const acted = await cas(deps.kv, read, ({ record, existing, marker }): Decision<ActionResult> => {
    const before = record.value;
    const now = deps.clock.now();
    if (!before) return { value: { kind: "absent" } };
    const refused = refuse(before, marker.value, now);
    if (refused) return { value: { kind: "refused", ...refused } };
    return {
      value: { kind: "queued" },
      write(tx) {
        putRecord(tx, before, withEvent(before, now, event));
        addJob(tx, existing, { ...job, due: now }, now);
      },
    };
  }, deps);
  if (acted.kind === "queued") deps.wake();
  return acted;
}
