import type { SignupSource } from "../../../shared/contract.ts";
import type { ListStatus, LocalStatus } from "../../../shared/outcomes.ts";
import { keys } from "../../kv/keys.ts";
import type { SignupRecord } from "./row.ts";

/** What a search can walk: everybody, or everybody who has one thing in common. */
export const FACETS = ["all", "domain", "status", "list_status", "form", "source"] as const;
export type Facet = (typeof FACETS)[number];

/** One record in one of the indexes that searches walk: its key says when, who and where, and this all that is filtered on. */
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

/** Under which value each facet holds a record; one without a value holds it nowhere. */
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

function entryKeys(record: SignupRecord): Deno.KvKey[] {
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
 * Keep a record's entries true to it; null for none yet, or none any more. What did not change is not written again.
 * Only `putRecord` calls this.
 */
export function putSearchEntries(
  tx: Deno.AtomicOperation,
  before: SignupRecord | null,
  after: SignupRecord | null,
): void {
  const entry = after && searchEntryOf(after);
  // Records from before there were entries have none, and get them with their next change.
  const written = before?.v === 2 ? before : null;
  if (written && entry && JSON.stringify(searchEntryOf(written)) === JSON.stringify(entry)) return;
  const kept = after ? entryKeys(after) : [];
  const names = new Set(kept.map((key) => key.join("\0")));
  for (const key of before ? entryKeys(before) : []) if (!names.has(key.join("\0"))) tx.delete(key);
  for (const key of kept) tx.set(key, entry);
}
