import { PENDING_MAX_AGE_MS } from "../../../shared/limits.ts";
import { listReadable } from "../../platform/kv/bad_rows.ts";
import { keys } from "../../platform/kv/keys.ts";
import type { Kv, KvKey } from "../../platform/kv/port.ts";
import { type IndexedStatus, RETURNED, type StatusEntry } from "../record/record.ts";
import { maybeDeliveredOn } from "./maybe_delivered.ts";

/** A signup that awaits its confirmation, as the status index has it: a pending one, or one with `pendingSince`. */
export interface PendingEntry {
  email: string;
  /** The name of its provider; missing for records of earlier versions. */
  provider?: string;
  /** `since` or `pendingSince` of its record. */
  since: number;
}

const BATCH = 500;

const PENDING = ["pending", RETURNED] as const;

/** Yields the lists with pending signups. */
export async function* listsWithPending(kv: Kv): AsyncGenerator<string> {
  const known = new Set<string>();
  for (const status of PENDING) {
    for await (const list of listsWith(kv, status)) {
      if (!known.has(list)) yield list;
      known.add(list);
    }
  }
}

/** Yields the lists with pending signups, or with queued ones that may already be at the provider. */
export async function* listsToPoll(kv: Kv): AsyncGenerator<string> {
  const pending = new Set<string>();
  for await (const list of listsWithPending(kv)) {
    pending.add(list);
    yield list;
  }
  for await (const list of listsWith(kv, "queued")) {
    if (!pending.has(list) && !(await maybeDeliveredOn(kv, list).next()).done) yield list;
  }
}

/** Yields the lists with signups of a status. Skips from list to list, so that each costs one read at any length. */
export async function* listsWith(kv: Kv, status: IndexedStatus): AsyncGenerator<string> {
  const prefix = keys.byStatusAll(status);
  let start: KvKey | undefined;
  while (true) {
    const range = start ? { prefix, start } : { prefix };
    const { value: entry } = await listReadable(kv, range, { limit: 1 }).next();
    if (!entry) return;
    const list = entry.key[prefix.length] as string;
    yield list;
    // The next key part of every entry is a number, and numbers sort before `true`: this skips the rest of the list.
    start = [...keys.byStatusOn(status, list), true];
  }
}

/**
 * Yields the pending signups of a list, oldest first.
 *
 * @param after yields only those that became pending after this time, in Unix milliseconds
 */
export async function* pendingOn(
  kv: Kv,
  list: string,
  after?: number,
): AsyncGenerator<PendingEntry> {
  const returned = entriesOf(kv, RETURNED, list, after);
  try {
    let next = await returned.next();
    for await (const entry of entriesOf(kv, "pending", list, after)) {
      for (; !next.done && next.value.since < entry.since; next = await returned.next()) yield next.value;
      yield entry;
    }
    for (; !next.done; next = await returned.next()) yield next.value;
  } finally {
    await returned.return(undefined);
  }
}

async function* entriesOf(
  kv: Kv,
  status: typeof PENDING[number],
  list: string,
  after: number | undefined,
): AsyncGenerator<PendingEntry> {
  const prefix = keys.byStatusOn(status, list);
  // Addresses sort before `true`: this starts after all entries of that time.
  const range = after === undefined ? { prefix } : { prefix, start: [...prefix, after, true] };
  for await (const { key, value } of listReadable<StatusEntry>(kv, range, { batchSize: BATCH })) {
    const entry = { since: key.at(-2) as number, email: key.at(-1) as string };
    yield typeof value === "string" ? { ...entry, provider: value } : entry;
  }
}

/** Returns since when the newest pending signup on a list is pending, Unix milliseconds; -Infinity if there is none. */
export async function newestPending(kv: Kv, list: string): Promise<number> {
  const newest = await Promise.all(PENDING.map(async (status) => {
    const prefix = keys.byStatusOn(status, list);
    const { value: entry } = await listReadable(kv, { prefix }, { limit: 1, reverse: true }).next();
    return entry ? entry.key.at(-2) as number : -Infinity;
  }));
  return Math.max(...newest);
}

/** Yields the pending signups whose time to confirm is over. */
export async function* expired(
  pending: AsyncIterable<PendingEntry>,
  now: number,
): AsyncGenerator<PendingEntry> {
  for await (const entry of pending) {
    if (now - entry.since < PENDING_MAX_AGE_MS) return;
    yield entry;
  }
}
