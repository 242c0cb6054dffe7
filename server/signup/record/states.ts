import { PENDING_MAX_AGE_MS } from "../../../shared/limits.ts";
import type { ConfirmedBy, ListStatus, LocalStatus } from "../../../shared/outcomes.ts";
import { withChangeEvents } from "./history.ts";
import type { SignupRecord } from "./row.ts";

/** What a signup's status may become: the table of decision 18, and all of it. */
export const MOVES: Readonly<Record<LocalStatus, readonly LocalStatus[]>> = {
  queued: ["pending", "active", "failed"],
  pending: ["active", "failed", "expired"],
  active: [],
  failed: ["queued", "active"],
  expired: ["queued", "active"],
};

/** A move that the table does not allow. */
export class InvalidMove extends Error {
  override name = "MoveRefused";
  constructor(readonly from: LocalStatus, readonly to: LocalStatus) {
    super(`A signup that is ${from} can't become ${to}`);
  }
}

/**
 * The record after a move, which its history notes. Staying where it is is always allowed and changes nothing but what `facts` say.
 *
 * @param facts what else is known with the move
 * @throws {MoveRefused} for a move outside the table
 */
export function move(
  record: SignupRecord,
  to: LocalStatus,
  now: number,
  facts: Partial<Pick<SignupRecord, "listStatus" | "reason" | "confirmed">> = {},
): SignupRecord {
  const { reason: _, ...rest } = record;
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

/** Why a signup failed, when the list itself is the reason; an admin may read it, a visitor never. */
const FAILING: Partial<Record<ListStatus, string>> = {
  unsubscribed: "The address has unsubscribed from the list.",
  suppressed: "The provider suppresses the address.",
  bounced: "Mail to the address bounces.",
};

/**
 * What a look at the provider means for a record that has reached it (contract 7.16): the list status is always
 * noted; the local one moves only where the table has a way.
 *
 * @param by what made us look
 * @returns the record as it should be, or the same object when nothing is new
 */
export function applyListStatus(
  record: SignupRecord,
  seen: ListStatus,
  by: ConfirmedBy,
  now: number,
): SignupRecord {
  const facts = { listStatus: seen };
  const confirmed = seen === "active" || seen === "paused";
  if (confirmed && record.status !== "active") {
    return move(record, "active", now, { ...facts, confirmed: { at: now, by } });
  }
  const reason = FAILING[seen];
  if (reason !== undefined && record.status === "pending") {
    return move(record, "failed", now, { ...facts, reason });
  }
  return record.listStatus === seen ? record : move(record, record.status, now, facts);
}

/** A confirmation that has not come within 30 days is not expected any more. */
export function hasExpired(record: SignupRecord, now: number): boolean {
  return record.status === "pending" && now - record.since >= PENDING_MAX_AGE_MS;
}
