import type { SignupSource } from "../../../shared/contract.ts";
import type { ListStatus, LocalStatus } from "../../../shared/outcomes.ts";
import { keys } from "../../platform/kv/keys.ts";
import type { AtomicOperation, KvKey } from "../../platform/kv/port.ts";
import type { SignupRecord } from "./row.ts";

/** The indexes that a search can read: all records, or those with the same value of a property. */
export const FACETS = ["all", "domain", "status", "list_status", "form", "source"] as const;
export type Facet = (typeof FACETS)[number];

/** The value of a search index entry: what searches filter by. Its key has the creation time, address and list. */
export interface SubscriberEntry {
  v: 1;
  status: LocalStatus;
  listStatus?: ListStatus;
  source: SignupSource;
  form?: string;
}

export function domainOf(email: string): string {
  return email.slice(email.lastIndexOf("@") + 1);
}

/** Returns the value of a record in each facet. The record has no entry in facets without a value. */
function facetsOf(record: SignupRecord): Partial<Record<Facet, string>> {
  const { email, status, listStatus, source, form } = record;
  return {
    all: "",
    domain: domainOf(email),
    status,
    source,
    ...(listStatus !== undefined && { list_status: listStatus }),
    ...(form !== undefined && { form }),
  };
}

function entryKeys(record: SignupRecord): KvKey[] {
  const { createdAt, email, list } = record;
  return Object.entries(facetsOf(record)).map(([facet, value]) =>
    keys.subscriberBy(facet as Facet, value, createdAt, email, list)
  );
}

function searchEntryOf({ status, listStatus, source, form }: SignupRecord): SubscriberEntry {
  return {
    v: 1,
    status,
    source,
    ...(listStatus !== undefined && { listStatus }),
    ...(form !== undefined && { form }),
  };
}

/**
 * Adds to a commit what keeps the search entries of a record up to date. Unchanged entries are not written again. Only
 * `putRecord` calls this.
 *
 * @param before null for a new record
 * @param after null for a deleted record
 */
export function putSearchEntries(
  tx: AtomicOperation,
  before: SignupRecord | null,
  after: SignupRecord | null,
): void {
  const entry = after && searchEntryOf(after);
  // Records of version 1 have no entries yet.
  const indexed = before?.v === 2 ? before : null;
  if (indexed && entry && JSON.stringify(searchEntryOf(indexed)) === JSON.stringify(entry)) return;
  const current = after ? entryKeys(after) : [];
  const names = new Set(current.map((key) => key.join("\0")));
  for (const key of indexed ? entryKeys(indexed) : []) if (!names.has(key.join("\0"))) tx.delete(key);
  for (const key of current) tx.set(key, entry);
}
