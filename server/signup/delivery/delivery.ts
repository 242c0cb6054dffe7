import type { ListStatus, Outcome } from "../../../shared/outcomes.ts";
import type {
  FoundStatus,
  NewPerson,
  Provider,
  SubscribeResult,
  Suppressed,
  Target,
} from "../../providers/port/port.ts";
import { mayRejectProperties } from "../../providers/http/rejected_properties.ts";
import type { Trouble } from "../../providers/port/trouble.ts";
import type { SignupRecord } from "../record/row.ts";
import { type AddedBy, addedBy, mayResend, owedMail } from "./added_by.ts";
import type { DeliveryPayload } from "./payload.ts";
import { applyListStatus, explainedStatus, isOutdated, move, renewWait } from "../record/states.ts";

/** The result of a delivery. */
export interface Delivered {
  kind: "delivered";
  outcome: Outcome;
  /** The status on the list; missing if the provider rejected the signup before that. */
  seen?: ListStatus;
  /** The provider blocks the address and does not say why. */
  isUnexplained?: true;
  /** Why it failed; shown in the admin. */
  reason?: string;
  /** URL of the provider's form, if only that accepts the address again. */
  rejoinUrl?: string;
  /**
   * Whether this delivery caused a confirmation email, now or in an earlier attempt. "maybe": the provider accepted the
   * address, and no confirmation is pending. Only a list with double opt-in has sent an email then.
   */
  mailed: "yes" | "no" | "maybe";
  /** When the request was sent that `seen` is from, Unix milliseconds; now if missing. */
  askedAt?: number;
  /** `SignupRecord.listStatusAt` when the delivery began; as now if missing. */
  knownAt?: number | undefined;
}

/** A delivery without a result. */
export interface Undelivered extends Trouble {
  /** Whether this attempt may have caused a confirmation email. */
  mailed: "no" | "maybe";
  /** This delivery has added the address, and this attempt certainly not sent its confirmation email. */
  owesMail?: true;
}

interface Attempt {
  provider: Provider;
  /** The same provider, for the calls that may cause a confirmation email. */
  sender: Pick<Provider, "subscribe" | "resend">;
  target: Target;
  person: NewPerson;
  /** An earlier attempt had an unknown result: it may have taken effect. */
  unknown: boolean;
  /** The list status in the record; undefined if no earlier delivery of it has reached the provider. */
  known: ListStatus | undefined;
  /** Takes the mailbox's 24-hour marker. Returns false if another signup has taken it. */
  takeMarker: () => Promise<boolean>;
  /** What earlier attempts stored, at a provider with `sendsSeparately`. */
  earlier: Pick<DeliveryPayload, "mail" | "marked">;
  /** Stores that the call begins that sends the first confirmation email, at such a provider. */
  beginMail: () => Promise<void>;
  /** Called if the latest call of `sender` certainly had no effect, and the next one is in its place. */
  hadNoEffect?: () => void;
  /** Returns when the latest call was sent, Unix milliseconds. */
  askedAt?: () => number;
}

/**
 * Subscribes an address to its list, and resends its confirmation email if it was already pending. Causes at most one
 * confirmation email, even when it is repeated after a crash.
 *
 * @returns the result, or the trouble after which the job retries the delivery
 */
export async function deliver(attempt: Attempt): Promise<Delivered | Undelivered> {
  const result = await request(attempt);
  if (result.kind === "delivered") {
    return { ...(attempt.askedAt && { askedAt: attempt.askedAt() }), ...result };
  }
  if ("mailed" in result) return result;
  const mayHaveMailed = result.unknown && !attempt.provider.capabilities.sendsSeparately;
  return { ...result, mailed: mayHaveMailed ? "maybe" : "no" };
}

type Requested = Delivered | Undelivered | Trouble;

async function request(attempt: Attempt): Promise<Requested> {
  const { provider, target, unknown, known } = attempt;
  const { showsPending, sendsSeparately: readsFirst = false, takesBack } = provider.capabilities;
  // If pending is invisible, a second subscribe sends a second email, so the result of the first is read before it.
  const needsRead = !readsFirst && !(unknown && showsPending);
  const before = needsRead ? await provider.status(target) : undefined;
  // An address that is on the list before this delivery subscribes was added by somebody else.
  const addedBefore = unknown ? "this delivery" : "earlier";
  const mayReturn = before?.kind === "found" && before.status === "unsubscribed" && takesBack;
  if (before?.kind === "found" && !mayReturn) return resultOf(attempt, before, addedBefore);
  if (!showsPending) {
    if (before?.kind === "trouble") return before;
    if (known === "pending") return resultOf(attempt, { status: known }, addedBefore);
  }
  const subscribed = await subscribe(attempt);
  switch (subscribed.kind) {
    case "trouble":
      return subscribed;
    case "refused":
      return { kind: "delivered", outcome: "failed", reason: subscribed.reason, mailed: "no" };
    case "suppressed":
      return rejected(subscribed);
    case "left":
      return left(attempt, subscribed);
    case "elsewhere":
      return onlyElsewhere(subscribed.url);
  }
  const by = addedBy({ answer: subscribed.kind, unknown, before: before?.kind, readsFirst });
  const isCertain = subscribed.kind === "accepted";
  if (subscribed.kind === "accepted" && subscribed.isPending) return pendingResult(attempt, by, isCertain);
  const read = await provider.status(target);
  // The provider has the address from here on. `unknown` reports that to the next attempt.
  const ours = by === "this delivery";
  if (read.kind === "trouble") {
    // The retry would send another email. The poll finds out if the address needs no confirmation.
    if (!showsPending && isCertain) return pending("yes");
    return { ...read, unknown: ours, ...(readsFirst && isCertain && { mailed: "no", owesMail: true }) };
  }
  if (read.kind === "absent") {
    if (!showsPending) return pending("yes");
    const reason = "The provider does not have the subscriber yet.";
    return { kind: "trouble", code: "not_found", reason, unknown: ours };
  }
  return resultOf(attempt, read, by, isCertain);
}

/** Subscribes with the person's properties, or without them if the provider rejects that, so that they lose no signup. */
async function subscribe(
  { provider, sender, target, person, hadNoEffect }: Attempt,
): Promise<SubscribeResult> {
  const { properties, ...others } = person;
  if (!properties || !provider.capabilities.properties) return await sender.subscribe(target, others);
  const result = await sender.subscribe(target, person);
  if (!mayRejectProperties(result)) return result;
  hadNoEffect?.();
  return await sender.subscribe(target, others);
}

/**
 * Returns the result for a status at the provider. Sends the confirmation email that a pending address still gets.
 *
 * @param isCertain whether this attempt itself added the address
 */
function resultOf(
  attempt: Attempt,
  read: Pick<FoundStatus, "status" | "isUnexplained">,
  by: AddedBy,
  isCertain = false,
): Promise<Requested> | Delivered {
  const ours = by === "this delivery";
  const mailed = ours && !attempt.provider.capabilities.sendsSeparately ? "maybe" : "no";
  const { status: seen } = read;
  switch (seen) {
    case "active":
    case "paused":
      return { kind: "delivered", outcome: ours ? "active" : "already_active", seen, mailed };
    case "suppressed":
    case "bounced":
      return { kind: "delivered", outcome: "suppressed", seen, mailed };
    case "unsubscribed":
      return left(attempt, read);
    case "pending":
      return pendingResult(attempt, by, isCertain);
  }
}

function pendingResult(attempt: Attempt, by: AddedBy, isCertain: boolean): Promise<Requested> | Delivered {
  const { known, earlier, provider: { capabilities } } = attempt;
  const first = known === undefined;
  if (capabilities.sendsSeparately) {
    return owedMail(by, { isCertain, first, earlier }) === "first" ? sendFirst(attempt) : resend(attempt);
  }
  return mayResend(by, first) ? resend(attempt) : pending("yes");
}

const BLOCKED = "The provider blocks the address and does not say why, so this signup sent no email. " +
  "Find out the reason at the provider, and unblock the address there if the person may get emails.";

/**
 * Returns the result for a person who left, or may have left. A public form must not bring them back without their
 * confirmation, because anyone can submit their address.
 */
function left(
  { provider: { capabilities } }: Attempt,
  { reason, isUnexplained }: { reason?: string; isUnexplained?: true },
): Delivered {
  const result = { kind: "delivered", outcome: "failed", seen: "unsubscribed", mailed: "no" } as const;
  if (isUnexplained) return { ...result, isUnexplained, reason: BLOCKED };
  const way = capabilities.reactivation
    ? "If they ask you, resubscribe them on their page in the admin."
    : "They can come back through one of the provider's own forms.";
  const why = reason ?? "The provider sends no new confirmation to somebody who unsubscribed.";
  return {
    ...result,
    reason: `The person unsubscribed earlier, so this signup sent no email. ${why} ${way}`,
  };
}

/** Leaves out the URL if it is not one of a web page, because the admin shows it as a link. */
const onlyElsewhere = (url: string): Delivered => ({
  kind: "delivered",
  outcome: "failed",
  reason: "The provider accepts this address again only through its own form.",
  ...(/^https?:\/\//i.test(url) && { rejoinUrl: url }),
  mailed: "no",
});

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
async function resend(attempt: Attempt): Promise<Requested> {
  const { provider, takeMarker } = attempt;
  if (!provider.capabilities.resend || !(await takeMarker())) return pending("no");
  return await send(attempt, "resent");
}

/** Sends the first confirmation email at a provider with `sendsSeparately`. */
const sendFirst = (attempt: Attempt) => send(attempt, "pending", attempt.beginMail);

async function send(
  { provider, sender, target, askedAt }: Attempt,
  outcome: "pending" | "resent",
  beforeSend?: () => Promise<void>,
): Promise<Requested> {
  // That it is pending was read before.
  const readAt = askedAt && { askedAt: askedAt() };
  const sent = await sender.resend(target, beforeSend);
  switch (sent.kind) {
    case "trouble":
      if (!provider.capabilities.sendsSeparately) return sent;
      return sent.unknown ? { ...sent, mailed: "maybe" } : { ...sent, mailed: "no", owesMail: true };
    case "suppressed":
      return rejected(sent);
    case "refused":
      return { ...pending("no"), ...readAt };
    case "sent":
      return { ...pending("yes"), ...readAt, outcome };
  }
}

/**
 * Returns the record after a delivery (decision 18). It stays the same if a later request has shown another status. If the
 * address is still pending, its 30 days begin anew.
 */
export function afterDelivery(record: SignupRecord, delivered: Delivered, now: number): SignupRecord {
  const { knownAt = record.listStatusAt, askedAt = now } = delivered;
  // At the same time, what was stored since the delivery began is newer.
  const isNewer = record.listStatusAt !== knownAt && record.listStatusAt === askedAt;
  if (record.status !== "queued" && (isNewer || isOutdated(askedAt, record, now))) return record;
  // When an admin retries a dead-letter job, its record has already failed.
  const started = record.status === "failed" || record.status === "expired"
    ? move(record, "queued", now)
    : record;
  const { outcome, seen: status, isUnexplained, reason, rejoinUrl } = delivered;
  const seen = status && explainedStatus(record, { status, isUnexplained });
  // Nobody else was asked to confirm: an address that was known, bounces or is suppressed gets no email.
  const reached = started.status === "queued" && seen === "pending" ? move(started, "pending", now) : started;
  const known = seen === undefined ? reached : applyListStatus(reached, seen, "delivery", now, askedAt);
  // Another signup, or a resend, of somebody who is still asked to confirm.
  if (seen === "pending") return renewWait(known, now);
  const failed = outcome === "failed" || outcome === "suppressed";
  return failed && reason !== undefined && known.status !== "active"
    ? move(known, "failed", now, { reason, ...(rejoinUrl !== undefined && { rejoinUrl }) })
    : known;
}
