import { PENDING_MAX_AGE_MS } from "../../shared/limits.ts";
import type { LocalStatus } from "../../shared/outcomes.ts";
import { keys } from "../kv/keys.ts";
import { maybeDeliveredOn } from "./maybe_delivered.ts";

/** One who waits for confirmation, by the status index. */
export interface PendingEntry {
  email: string;
  /** Since when, Unix milliseconds. */
  since: number;
}

const BATCH = 500;

/** The lists on which anybody waits for confirmation, or may do so once a delivery in doubt is decided. */
export async function* listsToPoll(kv: Deno.Kv): AsyncGenerator<string> {
  const pending = new Set<string>();
  for await (const list of listsWith(kv, "pending")) {
    pending.add(list);
    yield list;
  }
  for await (const list of listsWith(kv, "queued")) {
    if (!pending.has(list) && !(await maybeDeliveredOn(kv, list).next()).done) yield list;
  }
}

/** The lists with a signup of this status, found by leaping from one to the next: a read a list, however long it is. */
export async function* listsWith(kv: Deno.Kv, status: LocalStatus): AsyncGenerator<string> {
  const prefix = keys.byStatusAll(status);
  let start: Deno.KvKey | undefined;
  while (true) {
    const range = start ? { prefix, start } : { prefix };
    const { value } = await kv.list(range, { limit: 1 }).next();
    if (!value) return;
    const list = value.key[prefix.length] as string;
    yield list;
    // Numbers sort below `true`, and every key of this list has a number there.
    start = [...keys.byStatusOn(status, list), true];
  }
}

/** Everybody who waits on a list, oldest first; those alone who have waited for less than since `after`, if given. */
export async function* pendingOn(
  kv: Deno.Kv,
  list: string,
  after?: number,
): AsyncGenerator<PendingEntry> {
  const prefix = keys.byStatusOn("pending", list);
  // Addresses sort below `true`: this is the place behind all of that time.
  const range = after === undefined ? { prefix } : { prefix, start: [...prefix, after, true] };
  for await (const { key } of kv.list(range, { batchSize: BATCH })) {
    yield { since: key.at(-2) as number, email: key.at(-1) as string };
  }
}

/** Those whose time to confirm is over. */
export async function* expiring(kv: Deno.Kv, list: string, now: number): AsyncGenerator<PendingEntry> {
  for await (const entry of pendingOn(kv, list)) {
    if (now - entry.since < PENDING_MAX_AGE_MS) return;
    yield entry;
  }
}
