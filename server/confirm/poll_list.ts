import { keys } from "../kv/keys.ts";
import type { ListedSubscriber, PageResult, Provider } from "../provider/port.ts";
import { maybeDeliveredOn } from "./maybe_delivered.ts";
import { type PendingEntry, pendingOn } from "./pending_index.ts";

/** What polling a list needs of the poll that is running. */
export interface PollRun {
  kv: Deno.Kv;
  provider: Provider;
  /** Makes and counts a call. Throws, which ends the poll, if the provider reports trouble. */
  call<R extends { kind: string }>(request: () => Promise<R>): Promise<Exclude<R, { kind: "trouble" }>>;
  /** Updates a record to what the provider listed. */
  sync(list: string, seen: ListedSubscriber): Promise<void>;
  /** Reads one status from the provider and updates the record. */
  checkOne(list: string, email: string): Promise<void>;
}

/** The time up to which a list's changes were read. */
interface CursorRow {
  v: 1;
  changedAt: number;
}

/** Where an unfinished poll of single addresses stopped. It contains no address, because it outlives records. */
interface PositionRow {
  v: 1;
  since: number;
}

/** How much of the previous changes is read again, because a provider may list a change late. */
const OVERLAP_MS = 2 * 60 * 1000;

/**
 * Polls a list in the cheapest way. The first page of changes is nearly always enough. If it is not, reads more
 * pages for as many calls as the next cheapest way needs, then uses that: at most twice the cheapest.
 */
export async function pollList(run: PollRun, list: string) {
  const { kv, provider } = run;
  if (!provider.capabilities.listing) return await pollOneByOne(run, list);
  const cursor = (await kv.get<CursorRow>(keys.pollCursor(list))).value;
  const first = await run.call(() => provider.changed(list, 0));
  const newest = first.items[0]?.changedAt;
  const since = (cursor?.changedAt ?? Infinity) - OVERLAP_MS;

  if (!cursor || !(await pollByChanges(run, list, first, since, 0))) {
    const unconfirmed = await run.call(() => provider.unconfirmed(list, 0));
    const pages = unconfirmed.items.length > 0 ? Math.ceil(unconfirmed.total / unconfirmed.items.length) : 1;
    const pending = await countUpTo(pendingOn(kv, list), pages + 1);
    if (!cursor || !(await pollByChanges(run, list, first, since, Math.min(pages, pending)))) {
      if (pending < pages) await pollOneByOne(run, list);
      else await pollByUnconfirmed(run, list, unconfirmed);
    }
  }
  if (newest !== undefined) {
    await kv.set(keys.pollCursor(list), { v: 1, changedAt: newest } satisfies CursorRow);
  }
}

/** Reads the changes of a list. Returns whether it got back to `since` within `pages` more pages. */
async function pollByChanges(
  run: PollRun,
  list: string,
  first: Page,
  since: number,
  pages: number,
): Promise<boolean> {
  const { provider } = run;
  for (let page = 1, current = first;; page++) {
    for (const item of current.items) {
      if (item.changedAt === undefined) return false;
      if (item.changedAt < since) return true;
      await run.sync(list, { email: item.email.toLowerCase(), status: item.status });
    }
    if (!current.more) return true;
    if (page > pages) return false;
    const next = page;
    current = await run.call(() => provider.changed(list, next));
  }
}

/** Reads who is unconfirmed at the provider, and checks each pending address that is not among them. */
async function pollByUnconfirmed(run: PollRun, list: string, first: Page) {
  const { kv, provider } = run;
  const unconfirmed = new Set<string>();
  for (let page = 1, current = first;; page++) {
    for (const { email } of current.items) unconfirmed.add(email.toLowerCase());
    if (!current.more) break;
    const next = page;
    current = await run.call(() => provider.unconfirmed(list, next));
  }
  for await (const { email } of pendingOn(kv, list)) {
    if (!unconfirmed.has(email)) await run.checkOne(list, email);
  }
  for await (const email of maybeDeliveredOn(kv, list)) {
    if (!unconfirmed.has(email)) await run.checkOne(list, email);
  }
}

/** Checks every address. Continues where the previous poll stopped, so that the newest signups get their turn. */
async function pollOneByOne(run: PollRun, list: string) {
  const { kv } = run;
  const key = keys.pollPosition(list);
  const position = (await kv.get<PositionRow>(key)).value ?? undefined;
  let lastChecked: Pick<PendingEntry, "since"> | undefined = position;
  try {
    for await (const entry of pendingOn(kv, list, position?.since)) {
      await run.checkOne(list, entry.email);
      lastChecked = entry;
    }
    lastChecked = undefined;
  } finally {
    if (lastChecked) await kv.set(key, { v: 1, since: lastChecked.since } satisfies PositionRow);
    else if (position) await kv.delete(key);
  }
  // Then from the oldest to where this poll started.
  if (position) {
    for await (const entry of pendingOn(kv, list)) {
      if (entry.since > position.since) break;
      await run.checkOne(list, entry.email);
    }
  }
  for await (const email of maybeDeliveredOn(kv, list)) await run.checkOne(list, email);
}

type Page = Extract<PageResult, { kind: "page" }>;

async function countUpTo(items: AsyncIterable<unknown>, max: number): Promise<number> {
  let count = 0;
  for await (const _ of items) if (++count >= max) break;
  return count;
}
