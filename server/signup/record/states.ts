import { PENDING_MAX_AGE_MS } from "../../../shared/limits.ts";
import type { ConfirmedBy, ListStatus, LocalStatus } from "../../../shared/outcomes.ts";
import { withChangeEvents } from "./history.ts";
import type { SignupRecord } from "./row.ts";

/** Allowed status changes: the table of decision 18. */
export const MOVES: Readonly<Record<LocalStatus, readonly LocalStatus[]>> = {
  queued: ["pending", "active", "failed"],
  pending: ["active", "failed", "expired"],
  active: [],
  failed: ["queued", "active"],
  expired: ["queued", "active"],
};

/** Thrown for a status change that `MOVES` does not allow. */
export class InvalidMove extends Error {
  override readonly name = "InvalidMove";
  constructor(readonly from: LocalStatus, readonly to: LocalStatus) {
    super(`A signup that is ${from} can't become ${to}`);
  }
}

/**
 * Returns the record after a status change, with the event in its history. If `to` is the current status, only the
 * `facts` are applied.
 *
 * @param facts other properties that change at the same time
 * @throws {InvalidMove} if `MOVES` does not allow the change
 */
export function move(
  record: SignupRecord,
  to: LocalStatus,
  now: number,
  facts: Partial<Pick<SignupRecord, "listStatus" | "listStatusAt" | "reason" | "rejoinUrl" | "confirmed">> =
    {},
): SignupRecord {
  const { reason: _reason, rejoinUrl: _rejoinUrl, ...rest } = record;
  const stays = to === record.status;
  if (!stays && !MOVES[record.status].includes(to)) throw new InvalidMove(record.status, to);
  return withChangeEvents(record, {
    ...(stays ? record : rest),
    ...facts,
    status: to,
    since: stays ? record.since : now,
    updatedAt: now,
  });
}

/** The list statuses that fail a signup when it is delivered or while it is pending, and the reason to show in the admin. */
const FAILURE_REASONS: Partial<Record<ListStatus, string>> = {
  unsubscribed: "The address has unsubscribed from the list.",
  suppressed: "The provider suppresses the address.",
  bounced: "Emails to the address bounce.",
};

/**
 * Returns whether the record has the response to a later request. A time to come is from a clock that was ahead.
 *
 * @param askedAt when the request was sent, Unix milliseconds
 */
export function isOutdated(askedAt: number, { listStatusAt }: SignupRecord, now: number): boolean {
  return listStatusAt !== undefined && askedAt < listStatusAt && listStatusAt <= now;
}

/**
 * Returns the list status that a record has after a read. If the provider does not say why it blocks the address, the reason
 * that is known stays.
 */
export function explainedStatus(
  { listStatus }: Pick<SignupRecord, "listStatus">,
  { status, isUnexplained }: { status: ListStatus; isUnexplained?: true | undefined },
): ListStatus {
  const isKnown = listStatus === "bounced" || listStatus === "suppressed";
  return isUnexplained && isKnown ? listStatus : status;
}

/**
 * Returns the record after a read of its status at the provider (contract 7.16). The list status is stored unless a later
 * request has shown another one; the local status changes only where `MOVES` allows it.
 *
 * @param by what triggered the read
 * @param askedAt when the request was sent, Unix milliseconds
 * @returns the same object if nothing changed
 */
export function applyListStatus(
  record: SignupRecord,
  seen: ListStatus,
  by: ConfirmedBy,
  now: number,
  askedAt = now,
): SignupRecord {
  if (isOutdated(askedAt, record, now)) return record;
  const facts = { listStatus: seen, listStatusAt: askedAt };
  const confirmed = seen === "active" || seen === "paused";
  if (confirmed && record.status !== "active") {
    return move(record, "active", now, { ...facts, confirmed: { at: now, by } });
  }
  const reason = FAILURE_REASONS[seen];
  const canFail = record.status === "pending" || (record.status === "queued" && by === "delivery");
  if (reason !== undefined && canFail) {
    return move(record, "failed", now, { ...facts, reason });
  }
  const awaits = record.status === "active" && seen === "pending";
  if (record.listStatus === seen) {
    // They signed up once more. What only the poll reads is no news, so that its search for a confirmation ends.
    const asksAgain = awaits && record.pendingSince === undefined && by !== "poll";
    return asksAgain ? { ...record, pendingSince: now } : record;
  }
  const { pendingSince: _, ...others } = move(record, record.status, now, facts);
  return awaits ? { ...others, pendingSince: now } : others;
}

/**
 * Returns the record of somebody who was asked to confirm once more: the 30 days for the confirmation begin anew.
 *
 * @returns the same object if it awaits none
 */
export function renewWait(record: SignupRecord, now: number): SignupRecord {
  if (record.status === "pending") return { ...record, since: now };
  return record.pendingSince === undefined ? record : { ...record, pendingSince: now };
}

/** Returns whether a signup has waited 30 days for its confirmation. */
export function hasExpired(record: SignupRecord, now: number): boolean {
  const since = record.status === "pending" ? record.since : record.pendingSince ?? Infinity;
  return now - since >= PENDING_MAX_AGE_MS;
}

/**
 * Returns the record without its wait for a confirmation: a pending signup expires, and somebody who was active before
 * stays in the state that their first confirmation led to.
 *
 * @returns the same object if it awaits none
 */
export function endWait(record: SignupRecord, now: number): SignupRecord {
  if (record.status === "pending") return move(record, "expired", now);
  if (record.pendingSince === undefined) return record;
  const { pendingSince: _, ...others } = record;
  return { ...others, updatedAt: now };
}
