import type { ListStatus, Outcome } from "../../../shared/outcomes.ts";
import type { Provider, Suppressed, Target, Trouble } from "../../provider/port.ts";
import type { SignupRecord } from "../record/row.ts";
import { type AddedBy, addedBy, mayResend } from "./added_by.ts";
import { applyListStatus, move } from "../record/states.ts";

/** What became of a signup at the provider. */
export interface Delivered {
  kind: "delivered";
  outcome: Outcome;
  /** What the list said; absent when the provider refused before it came to that. */
  seen?: ListStatus;
  /** Why it failed, for the admin. */
  reason?: string;
  /**
   * Whether this delivery caused a confirmation email, now or in an earlier attempt. "perhaps": the provider took the
   * address and it awaits no confirmation (any more); a list with double opt-in has mailed it, one without has not.
   */
  mailed: "yes" | "no" | "perhaps";
}

interface Attempt {
  provider: Provider;
  target: Target;
  person: { name?: string; tags: string[] };
  /** An earlier attempt may have reached the provider without our knowing. */
  unknown: boolean;
  /** No earlier delivery of this record has reached the provider. */
  first: boolean;
  /** Takes the mailbox's 24-hour mark; false while the email of another signup holds it. */
  takeMarker: () => Promise<boolean>;
}

/**
 * Brings an address to its list: one conversation with the provider, in the order of its own answers. Every
 * branch can be repeated after a crash without mailing anybody twice. At most one confirmation email results.
 *
 * @returns what became of it, or the trouble on the way; a retry then starts here again
 */
export async function deliver(attempt: Attempt): Promise<Delivered | Trouble> {
  const { provider, target, person, unknown } = attempt;
  // What is on the list before this delivery has subscribed anybody is not its own.
  const before = unknown ? undefined : await provider.status(target);
  if (before?.kind === "found") return settled(attempt, before.status, "earlier");
  const subscribed = await provider.subscribe(target, person);
  switch (subscribed.kind) {
    case "trouble":
      return subscribed;
    case "refused":
      return { kind: "delivered", outcome: "failed", reason: subscribed.reason, mailed: "no" };
    case "suppressed":
      return rejected(subscribed);
  }
  const origin = addedBy({ answer: subscribed.kind, unknown, before: before?.kind });
  const read = await provider.status(target);
  // From here on the provider has the address, whatever happens: the next attempt must know (`unknown`).
  const ours = origin === "this delivery";
  if (read.kind === "trouble") return { ...read, unknown: ours };
  if (read.kind === "absent") {
    const reason = "The provider does not show the subscriber yet.";
    return { kind: "trouble", code: "not_found", reason, unknown: ours };
  }
  return settled(attempt, read.status, origin);
}

/** Decides what a subscriber's status at the provider means for this delivery, and resends where it is due. */
function settled(
  attempt: Attempt,
  seen: ListStatus,
  origin: AddedBy,
): Promise<Delivered | Trouble> | Delivered {
  const ours = origin === "this delivery";
  const mailed = ours ? "perhaps" : "no";
  switch (seen) {
    case "active":
    case "paused":
      return { kind: "delivered", outcome: ours ? "active" : "already_active", seen, mailed };
    case "suppressed":
    case "bounced":
      return { kind: "delivered", outcome: "suppressed", seen, mailed };
    case "unsubscribed":
      // A public form must not bring back, unconfirmed, a person who left.
      return { kind: "delivered", outcome: "failed", seen, mailed };
    case "pending":
      return mayResend(origin, attempt.first) ? resend(attempt) : pending("yes");
  }
}

const pending = (mailed: Delivered["mailed"]): Delivered => ({
  kind: "delivered",
  outcome: "pending",
  seen: "pending",
  mailed,
});

const rejected = ({ bounced, reason }: Suppressed): Delivered => ({
  kind: "delivered",
  outcome: "suppressed",
  seen: bounced ? "bounced" : "suppressed",
  reason,
  mailed: "no",
});

/** Resends the confirmation email of an earlier signup, at most once a day per mailbox (contract 6.6). */
async function resend({ provider, target, takeMarker }: Attempt): Promise<Delivered | Trouble> {
  if (!provider.capabilities.resend || !(await takeMarker())) return pending("no");
  const sent = await provider.resend(target);
  switch (sent.kind) {
    case "trouble":
      return sent;
    case "suppressed":
      return rejected(sent);
    case "refused":
      return pending("no");
    case "sent":
      return { ...pending("yes"), outcome: "resent" };
  }
}

/** The record after a delivery (decision 18). */
export function afterDelivery(record: SignupRecord, delivered: Delivered, now: number): SignupRecord {
  // A delivery that an admin sends again from the dead list starts from a record that had failed of age.
  const started = record.status === "failed" || record.status === "expired"
    ? move(record, "queued", now)
    : record;
  const { outcome, seen, reason } = delivered;
  const reached = started.status === "queued" && seen !== undefined ? move(started, "pending", now) : started;
  const known = seen === undefined ? reached : applyListStatus(reached, seen, "delivery", now);
  const failed = outcome === "failed" || outcome === "suppressed";
  return failed && reason !== undefined && known.status !== "active"
    ? move(known, "failed", now, { reason })
    : known;
}
