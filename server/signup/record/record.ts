import type { SignupSource } from "../../../shared/contract.ts";
import type { ConfirmedBy, ListStatus, LocalStatus } from "../../../shared/outcomes.ts";
import { keys } from "../../kv/keys.ts";
import { putEntries } from "./entries.ts";
import type { RecordEvent } from "./history.ts";
import { move } from "./states.ts";

/** One signup: an address on a list (decision 18). */
export interface SignupRecord {
  /** 1: written before there was anything to search by; it has no entries yet (see `entries.ts`). */
  v: 1 | 2;
  /** Lowercased. */
  email: string;
  list: string;
  status: LocalStatus;
  /** When `status` became what it is; Unix milliseconds, like every time here. */
  since: number;
  /** What the list last said; absent before the provider was asked. */
  listStatus?: ListStatus;
  /** Why it failed, for the admin. */
  reason?: string;
  confirmed?: { at: number; by: ConfirmedBy };
  name?: string;
  tags: string[];
  source: SignupSource;
  form?: string;
  createdAt: number;
  updatedAt: number;
  /** What happened since it was accepted, oldest first; bounded. */
  history?: RecordEvent[];
}

/** What a visitor did and saw: proof of consent, one row a signup. */
export interface ConsentRow {
  v: 1;
  id: string;
  at: number;
  given: boolean;
  /** SHA-256 of the consent text shown, under which the text is kept; absent where no consent was asked for. */
  textHash?: string;
  locale: string;
  /** Blanked after the Privacy tab's retention. */
  ip: string | null;
  source: SignupSource;
  form?: string;
  placement?: string;
  /** Origin of the page the form stood on, if the browser told. */
  origin?: string;
}

/** A signup as any source hands it in, checked and normalised. */
export interface Signup {
  email: string;
  list: string;
  name?: string;
  tags: string[];
  source: SignupSource;
  form?: string;
  consent: Pick<ConsentRow, "given" | "textHash" | "locale" | "ip" | "placement" | "origin"> & {
    /** The text itself, while no row keeps it yet. */
    newText?: string;
  };
}

const MAX_TAGS = 50;

/**
 * The record after one more signup: new, queued again, or with its status kept where the signup is still on its
 * way or has long arrived. What a confirmed person is called is not for a stranger with their address to change.
 */
export function recordAfter(before: SignupRecord | null, signup: Signup, now: number): SignupRecord {
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

/** Told of a record that becomes active, inside the commit that makes it so. May be called for tries that are lost. */
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
  putEntries(tx, before, after);
  if (!after) return before ? tx.delete(keys.signup(before.email, before.list)) : tx;
  const row: SignupRecord = { ...after, v: 2 };
  return tx.set(keys.signup(after.email, after.list), row).set(index(after), 1);
}
