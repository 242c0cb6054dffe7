import type { ConfirmedBy } from "../../../shared/outcomes.ts";
import { keys } from "../../kv/keys.ts";
import { putSearchEntries } from "./search_entries.ts";
import { type Signup, signupKey, type SignupRecord } from "./row.ts";
import { move } from "./states.ts";

const MAX_TAGS = 50;

/**
 * The record after one more signup: new, queued again, or with its status kept where the signup is still on its
 * way or has long arrived. What a confirmed person is called is not for a stranger with their address to change.
 */
export function applySignup(before: SignupRecord | null, signup: Signup, now: number): SignupRecord {
  const { email, list, source, form, name } = signup;
  if (!before) {
    return {
      v: 2,
      email,
      list,
      status: "queued",
      since: now,
      tags: [...new Set(signup.tags)].slice(0, MAX_TAGS),
      source,
      ...(form !== undefined && { form }),
      ...(name !== undefined && { name }),
      createdAt: now,
      updatedAt: now,
    };
  }
  if (before.status === "active") return { ...before, updatedAt: now };
  const again = before.status === "failed" || before.status === "expired";
  return {
    ...move(before, again ? "queued" : before.status, now),
    tags: [...new Set([...before.tags, ...signup.tags])].slice(0, MAX_TAGS),
    ...(name !== undefined && { name }),
  };
}

/**
 * Called for every record that a look at the provider has made active, after the commit that made it so.
 *
 * @param afterMs since the provider noted it, where the provider says when
 */
export type OnConfirmed = (
  record: Pick<SignupRecord, "form" | "source">,
  by: ConfirmedBy,
  afterMs?: number,
) => void;

/** Called for a record that becomes active, inside the commit that makes it so; also for a commit that then fails. */
export type OnActive = (tx: Deno.AtomicOperation, record: SignupRecord) => void;

/**
 * Write a record and keep every index true to it; null erases it. The only way in which records are written, so that
 * no index can disagree with them. The caller checks the record's old version.
 */
export function putRecord(
  tx: Deno.AtomicOperation,
  before: SignupRecord | null,
  after: SignupRecord | null,
  onActive?: OnActive,
): Deno.AtomicOperation {
  const index = (record: SignupRecord) =>
    keys.byStatus(record.status, record.list, record.since, record.email);
  if (after?.status === "active" && before?.status !== "active") onActive?.(tx, after);
  if (before && (before.status !== after?.status || before.since !== after.since)) tx.delete(index(before));
  putSearchEntries(tx, before, after);
  if (!after) return before ? tx.delete(signupKey(before.email, before.list)) : tx;
  const row: SignupRecord = { ...after, v: 2 };
  return tx.set(signupKey(after.email, after.list), row).set(index(after), 1);
}
