import type { Clock } from "../deps.ts";
import { keys } from "../kv/keys.ts";
import type { ListedSubscriber, Provider, SubscriberPage } from "../provider/port.ts";
import type { SignupProviders } from "../signup/record/provider_of.ts";
import { maybeDeliveredOn } from "./maybe_delivered.ts";
import type { PendingEntry } from "./pending_index.ts";

/** What polling a list needs of the poll that is running. */
export interface PollRun {
  kv: Deno.Kv;
  clock: Clock;
  provider: Provider;
  /** The provider's name. */
  name: string;
  signupProviders: Pick<SignupProviders, "nameOf">;
  /** Yields the provider's pending signups on the list, oldest first; with `after`, those since that time. */
  pending(after?: number): AsyncIterable<PendingEntry>;
  /** Makes and counts a call. Throws, which ends the poll, if the provider reports trouble. */
  call<R extends { kind: string }>(request: () => Promise<R>): Promise<Exclude<R, { kind: "trouble" }>>;
  /** Updates a record to what the provider listed. */
  sync(seen: ListedSubscriber): Promise<void>;
  /** Reads one status from the provider and updates the record. Returns false if the address was skipped. */
  checkOne(email: string): Promise<boolean>;
}

/** The time up to which a list's changes were read. */
interface CursorRow {
  v: 1;
  changedAt: number;
  /** The provider whose changes they are. Missing in rows of earlier versions. */
  provider?: string;
}

/** Where an unfinished poll of single addresses stopped. It contains no address, because it outlives records. */
interface PositionRow {
  v: 1;
  since: number;
}

/** How much of the previous changes is read again, because a provider may list a change late. */
const OVERLAP_MS = 2 * 60 * 1000;

/**
 * Polls a list in the cheapest way that the provider offers. The first page of changes is nearly always enough. If it is
 * not, reads more pages for as many calls as the next cheapest way needs, then uses that: at most twice the cheapest.
 */
export async function pollList(run: PollRun, list: string) {
  const { kv, provider, name, signupProviders } = run;
  const key = keys.pollCursor(list);
  const stored = (await kv.get<CursorRow>(key)).value;
  // Another provider may have a list with the same ID, and has its own clock.
  const previous = stored && signupProviders.nameOf(stored) === name ? stored.changedAt : undefined;
  const changes = provider.capabilities.listsChanged ? await openChanges(run, list, previous) : undefined;
  let skipped = false;
  async function checkOne(email: string): Promise<boolean> {
    const isChecked = await run.checkOne(email);
    skipped ||= !isChecked;
    return isChecked;
  }
  if (!(await changes?.read(0))) await pollPending({ ...run, checkOne }, list, changes);
  // The next poll reads the changes of a skipped address again.
  if (changes && !skipped) {
    await kv.set(key, { v: 1, changedAt: changes.readUpTo(), provider: name } satisfies CursorRow);
  }
}

/** The changes of a list since the previous poll, which are read page by page. */
interface Changes {
  /** Reads the changes, for at most so many more calls. Returns whether these were all. */
  read(calls: number): Promise<boolean>;
  /** Returns the latest time of a change that was seen, by the provider's clock if it has listed one. */
  readUpTo(): number;
}

/**
 * Makes the first call for the changes of a list.
 *
 * @param previous up to which time the previous poll read them; without it they can't be complete
 */
async function openChanges(run: PollRun, list: string, previous: number | undefined): Promise<Changes> {
  const since = (previous ?? run.clock.now()) - OVERLAP_MS;
  let readUpTo = previous ?? since;
  let unread: ListedSubscriber[] = [];
  let next: string | undefined;

  async function readPage(cursor?: string) {
    const page = await run.call(() => run.provider.changed(list, since, cursor));
    for (const { changedAt = 0 } of page.items) readUpTo = Math.max(readUpTo, changedAt);
    unread = page.items;
    next = page.cursor;
  }

  await readPage();
  return {
    async read(calls) {
      if (previous === undefined) return false;
      for (;; calls--) {
        for (const { email, status, changedAt } of unread) {
          if (changedAt === undefined) return false;
          if (changedAt >= since) await run.sync({ email: email.toLowerCase(), status });
        }
        unread = [];
        if (next === undefined) return true;
        if (calls === 0) return false;
        await readPage(next);
      }
    },
    readUpTo: () => readUpTo,
  };
}

/** Finds out which of our pending addresses have confirmed, from the cheapest of the listings or one by one. */
async function pollPending(run: PollRun, list: string, changes: Changes | undefined) {
  const { provider } = run;
  if (!provider.capabilities.listsUnconfirmed) {
    const pending = changes ? await countUpTo(run.pending(), Infinity) : 0;
    if (!(await changes?.read(pending))) await pollOneByOne(run, list);
    return;
  }
  const first = await run.call(() => provider.unconfirmed(list));
  const size = Math.max(first.items.length, 1);
  const pages = first.total === undefined ? undefined : Math.max(Math.ceil(first.total / size), 1);
  const pending = await countUpTo(run.pending(), pages === undefined ? Infinity : pages + 1);
  // Without a total, the provider is taken to have about as many unconfirmed addresses as we have.
  const expected = pages ?? (first.cursor === undefined ? 1 : Math.ceil(pending / size));
  if (await changes?.read(Math.min(expected, pending))) return;
  if (pending < expected || !(await pollByUnconfirmed(run, list, first, pending))) {
    await pollOneByOne(run, list);
  }
}

/**
 * Reads who is unconfirmed at the provider, and checks each pending address that is not among them.
 *
 * @param calls how many pages to read at most
 * @returns whether these were all pages
 */
async function pollByUnconfirmed(
  run: PollRun,
  list: string,
  first: SubscriberPage,
  calls: number,
): Promise<boolean> {
  const { kv } = run;
  const unconfirmed = new Set<string>();
  for (let current = first;; calls--) {
    for (const { email } of current.items) unconfirmed.add(email.toLowerCase());
    const { cursor } = current;
    if (cursor === undefined) break;
    if (calls <= 0) return false;
    current = await run.call(() => run.provider.unconfirmed(list, cursor));
  }
  for await (const { email } of run.pending()) {
    if (!unconfirmed.has(email)) await run.checkOne(email);
  }
  for await (const email of maybeDeliveredOn(kv, list)) {
    if (!unconfirmed.has(email)) await run.checkOne(email);
  }
  return true;
}

/** Checks every address. Continues where the previous poll stopped, so that the newest signups get their turn. */
async function pollOneByOne(run: PollRun, list: string) {
  const { kv } = run;
  const key = keys.pollPosition(list);
  const position = (await kv.get<PositionRow>(key)).value ?? undefined;
  let lastChecked: Pick<PendingEntry, "since"> | undefined = position;
  try {
    for await (const entry of run.pending(position?.since)) {
      await run.checkOne(entry.email);
      lastChecked = entry;
    }
    lastChecked = undefined;
  } finally {
    if (lastChecked) await kv.set(key, { v: 1, since: lastChecked.since } satisfies PositionRow);
    else if (position) await kv.delete(key);
  }
  // Then from the oldest to where this poll started.
  if (position) {
    for await (const entry of run.pending()) {
      if (entry.since > position.since) break;
      await run.checkOne(entry.email);
    }
  }
  for await (const email of maybeDeliveredOn(kv, list)) await run.checkOne(email);
}

async function countUpTo(items: AsyncIterable<unknown>, max: number): Promise<number> {
  let count = 0;
  for await (const _ of items) if (++count >= max) break;
  return count;
}
