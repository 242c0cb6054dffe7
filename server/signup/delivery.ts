import type { ListStatus, Outcome } from "../../shared/outcomes.ts";
import type { Provider, Target, Trouble } from "../provider/port.ts";
import type { SignupRecord } from "./record.ts";
import { move, observe } from "./states.ts";

/** What became of a signup at the provider. */
export interface Delivered {
  kind: "delivered";
  outcome: Outcome;
  /** What the list said; absent when the provider refused before it came to that. */
  seen?: ListStatus;
  /** Why it failed, for the admin. */
  reason?: string;
  /** A confirmation mail went out, now or in an earlier attempt: the mailbox's 24-hour mark is due. */
  mailed: boolean;
}

interface Attempt {
  provider: Provider;
  target: Target;
  person: { name?: string; tags: string[] };
  /** An earlier attempt may have reached the provider without our knowing. */
  unknown: boolean;
  /** Takes the mailbox's 24-hour mark; false while the mail of another signup holds it. */
  takeMark: () => Promise<boolean>;
}

/**
 * Bring an address to its list: one conversation with the provider, in the order of its own answers. Every
 * branch can be repeated after a crash without mailing anybody twice.
 *
 * @returns what became of it, or the trouble on the way; a retry then starts here again
 */
export async function deliver(attempt: Attempt): Promise<Delivered | Trouble> {
  const { provider, target, person } = attempt;
  const subscribed = await provider.subscribe(target, person);
  switch (subscribed.kind) {
    case "trouble":
      return subscribed;
    case "refused":
      return { kind: "delivered", outcome: "failed", reason: subscribed.reason, mailed: false };
    case "suppressed":
      return {
        kind: "delivered",
        outcome: "suppressed",
        seen: "suppressed",
        reason: subscribed.reason,
        mailed: false,
      };
  }
  const ours = subscribed.kind === "accepted" || attempt.unknown;
  const read = await provider.status(target);
  // From here on the provider has the address, whatever happens: the next attempt must know (`unknown`).
  if (read.kind === "trouble") return { ...read, unknown: ours };
  if (read.kind === "absent") {
    return { kind: "trouble", reason: "The provider does not show the subscriber yet.", unknown: ours };
  }
  switch (read.status) {
    case "active":
    case "paused":
      return {
        kind: "delivered",
        outcome: ours ? "active" : "already_active",
        seen: read.status,
        mailed: false,
      };
    case "suppressed":
    case "bounced":
      return { kind: "delivered", outcome: "suppressed", seen: read.status, mailed: false };
    case "unsubscribed":
      // A public form must not bring back, unconfirmed, a person who left.
      return { kind: "delivered", outcome: "failed", seen: read.status, mailed: false };
    case "pending":
      return ours ? pending(true) : await sendAgain(attempt);
  }
}

const pending = (mailed: boolean): Delivered => ({
  kind: "delivered",
  outcome: "pending",
  seen: "pending",
  mailed,
});

/** The address waits for its confirmation since an earlier signup: mail it again, once a day a mailbox (§4.1). */
async function sendAgain({ provider, target, takeMark }: Attempt): Promise<Delivered | Trouble> {
  if (!provider.capabilities.resend || !(await takeMark())) return pending(false);
  const sent = await provider.resend(target);
  if (sent.kind === "trouble") return sent;
  return sent.kind === "sent" ? { ...pending(true), outcome: "resent" } : pending(false);
}

/** The record after a delivery (decisions §6). */
export function afterDelivery(record: SignupRecord, delivered: Delivered, now: number): SignupRecord {
  // A delivery that an admin sends again from the dead list starts from a record that had failed of age.
  const started = record.status === "failed" || record.status === "expired"
    ? move(record, "queued", now)
    : record;
  const { outcome, seen, reason } = delivered;
  const reached = started.status === "queued" && seen !== undefined ? move(started, "pending", now) : started;
  const known = seen === undefined ? reached : observe(reached, seen, "delivery", now);
  const failed = outcome === "failed" || outcome === "suppressed";
  return failed && reason !== undefined && known.status !== "active"
    ? move(known, "failed", now, { reason })
    : known;
}
