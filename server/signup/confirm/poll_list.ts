import type { Clock } from "../../platform/deps.ts";
import { keys } from "../../platform/kv/keys.ts";
import type { Kv, KvKey } from "../../platform/kv/port.ts";
import type { ListedSubscriber, Provider, SubscriberPage } from "../../providers/port/port.ts";
import type { SignupProviders } from "../record/provider_of.ts";
import { isFarAhead } from "../../platform/time/stored_time.ts";
import { maybeDeliveredOn } from "./maybe_delivered.ts";
import type { PendingEntry } from "./pending_index.ts";

/** What polling a list needs of the poll that is running. */
export interface PollRun {
  kv: Kv;
  clock: Clock;
  provider: Provider;
  /** The provider's name. */
  name: string;
  signupProviders: Pick<SignupProviders, "nameOf">;
  /**
   * Yields the provider's pending signups on the list, oldest first, without those since the poll began; with `after`,
   * those since that time.
   */
  pending(after?: number): AsyncIterable<PendingEntry>;
  /** Makes and counts a call. Throws, which ends the poll of the list, if the provider reports trouble. */
  call<R extends { kind: string }>(request: () => Promise<R>): Promise<Exclude<R, { kind: "trouble" }>>;
  /**
   * Updates a record to what the provider listed.
   *
   * @param askedAt when it was asked, Unix milliseconds
   */
  sync(seen: ListedSubscriber, askedAt: number): Promise<void>;
  /** Reads one status from the provider and updates the record. Returns false if the address was skipped. */
  checkOne(email: string, since?: number): Promise<boolean>;
}

/** The time up to which a list's changes were read. It contains no address, because it outlives records. */
interface CursorRow {
  v: 1;
  changedAt: number;
  /** Missing in rows of earlier versions. */
  provider?: string;
  /** Since when the addresses are pending that the provider had trouble with: their changes may be older. */
  skipped?: number[];
}

/** Where an unfinished poll of single addresses stopped. It contains no address either. */
interface PositionRow {
  v: 1;
  since: number;
  /** `CursorRow.changedAt` once all addresses are checked. */
  changedAt?: number;
  skipped?: number[];
}

/** How much of the previous changes is read again, because a provider may list a change late. */
const OVERLAP_MS = 2 * 60 * 1000;
/** How many single addresses are checked before the other lists have their turn. */
const CHECKS_PER_TURN = 50;
const CHECKS_PER_STORED_POSITION = 10;
/** With more skipped addresses than this, all are checked again. */
const MAX_SKIPPED = 100;

/**
 * Polls a list in the cheapest way that the provider offers. The first page of changes is nearly always enough. If it is
 * not, reads more pages for as many calls as the next cheapest way needs, then uses that: at most twice the cheapest.
 * Yields where other lists may have their turn.
 */
export async function* pollList(run: PollRun, list: string): AsyncGenerator<void> {
  const { kv, provider, name } = run;
  const previous = await readCursor(run, list);
  const positionKey = keys.pollPositionOf(list, name);
  const position = (await kv.get<PositionRow>(positionKey)).value ?? undefined;
  const changes = provider.capabilities.listsChanged
    ? await openChanges(run, list, previous?.changedAt)
    : undefined;
  const skipped = new Set<number>();
  async function checkOne(email: string, since?: number): Promise<boolean> {
    const isChecked = await run.checkOne(email, since);
    // A queued one is left to its delivery, which reads the status too.
    if (!isChecked && since !== undefined) skipped.add(since);
    return isChecked;
  }
  const own = { ...run, checkOne };
  const sweep: Sweep = { key: positionKey, position, isStored: position !== undefined, skipped };
  if (await changes?.read(0)) {
    for (const since of previous?.skipped ?? []) await checkSince(own, since);
  } else {
    yield* pollPending(own, list, changes, sweep);
  }
  const changedAt = sweep.changedAt ?? changes?.readUpTo();
  const hasCursor = changedAt !== undefined && skipped.size <= MAX_SKIPPED;
  if (!hasCursor && !sweep.isStored) return;
  const tx = kv.atomic();
  if (sweep.isStored) tx.delete(positionKey);
  if (hasCursor) {
    const row: CursorRow = {
      ...{ v: 1, changedAt, provider: name },
      ...(skipped.size > 0 && { skipped: [...skipped] }),
    };
    tx.set(keys.pollCursorOf(list, name), row);
  }
  await tx.commit();
}

/** Returns the provider's cursor of a list. One from a clock that was ahead says nothing about earlier changes. */
async function readCursor(
  { kv, clock, name, signupProviders }: PollRun,
  list: string,
): Promise<CursorRow | undefined> {
  const [own, earlier] = await kv.getMany<[CursorRow, CursorRow]>([
    keys.pollCursorOf(list, name),
    // Earlier versions had one for all providers with a list of this ID.
    keys.pollCursor(list),
  ]);
  const isEarlierOwn = earlier.value !== null && signupProviders.nameOf(earlier.value) === name;
  const stored = own.value ?? (isEarlierOwn ? earlier.value : null);
  return stored && !isFarAhead(stored.changedAt, clock.now()) ? stored : undefined;
}

/** Checks the addresses that are pending since exactly that time. */
async function checkSince({ pending, checkOne }: PollRun, since: number): Promise<void> {
  for await (const entry of pending(since - 1)) {
    if (entry.since > since) return;
    await checkOne(entry.email, entry.since);
  }
}

/** The changes of a list since the previous poll, which are read page by page. */
interface Changes {
  /** Reads the changes, for at most so many more calls. Returns whether these were all. */
  read(calls: number): Promise<boolean>;
  /**
   * Returns up to which time all changes were seen, by the provider's clock if it has listed one. While later pages are read,
   * earlier ones can get new changes.
   */
  readUpTo(): number;
}

/**
 * Makes the first call for the changes of a list.
 *
 * @param previous up to which time the previous poll read them; without it they can't be complete
 */
async function openChanges(run: PollRun, list: string, previous: number | undefined): Promise<Changes> {
  const since = (previous ?? run.clock.now()) - OVERLAP_MS;
  const startedAt = run.clock.now();
  let readUpTo = previous ?? since;
  let unread: ListedSubscriber[] = [];
  let next: string | undefined;
  let askedAt = 0;

  async function readPage(cursor?: string) {
    const page = await run.call(() => {
      askedAt = run.clock.now();
      return run.provider.changed(list, since, cursor);
    });
    for (const { changedAt = 0 } of page.items) {
      // A wrong time would hide the changes until then.
      const isBelievable = cursor === undefined ? !isFarAhead(changedAt, startedAt) : changedAt <= startedAt;
      if (isBelievable) readUpTo = Math.max(readUpTo, changedAt);
    }
    unread = page.items;
    next = page.cursor;
  }

  await readPage();
  return {
    async read(calls) {
      if (previous === undefined) return false;
      for (;; calls--) {
        for (const { email, changedAt, ...seen } of unread) {
          if (changedAt === undefined) return false;
          if (changedAt >= since) await run.sync({ email: email.toLowerCase(), ...seen }, askedAt);
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

/** A poll of single addresses, which may take several polls. */
interface Sweep {
  key: KvKey;
  /** Where the previous poll stopped. */
  position: PositionRow | undefined;
  /** Whether the database has a position. */
  isStored: boolean;
  /** Up to when the changes are known once all are checked, if that is earlier than what this poll has read. */
  changedAt?: number;
  skipped: Set<number>;
}

/** Finds out which of our pending addresses have confirmed, from the cheapest of the listings or one by one. */
async function* pollPending(
  run: PollRun,
  list: string,
  changes: Changes | undefined,
  sweep: Sweep,
): AsyncGenerator<void> {
  const { provider } = run;
  if (!provider.capabilities.listsUnconfirmed) {
    const pending = changes ? await countUpTo(run.pending(), Infinity) : 0;
    if (!(await changes?.read(pending))) yield* pollOneByOne(run, list, changes, sweep);
    return;
  }
  const first = await run.call(() => provider.unconfirmed(list));
  const size = Math.max(first.items.length, 1);
  const pages = first.total === undefined ? undefined : Math.max(Math.ceil(first.total / size), 1);
  // While they are read, people sign up, and the listing gets more pages.
  const maxPages = pages === undefined ? Infinity : 2 * pages + 10;
  const pending = await countUpTo(run.pending(), maxPages);
  // Without a total, the provider is taken to have about as many unconfirmed addresses as we have.
  const expected = pages ?? (first.cursor === undefined ? 1 : Math.ceil(pending / size));
  if (await changes?.read(Math.min(expected, pending))) return;
  if (pending < expected || !(await pollByUnconfirmed(run, list, first, pending))) {
    yield* pollOneByOne(run, list, changes, sweep);
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
  for await (const { email, since } of run.pending()) {
    if (!unconfirmed.has(email)) await run.checkOne(email, since);
  }
  for await (const email of maybeDeliveredOn(kv, list)) {
    if (!unconfirmed.has(email)) await run.checkOne(email);
  }
  return true;
}

/**
 * Checks every address, from where the previous poll stopped. At a provider that lists changes, that is enough once all
 * are checked; at any other, those before that place have their turn too. Stores the position as it goes, because the
 * process may die at any time.
 */
async function* pollOneByOne(
  run: PollRun,
  list: string,
  changes: Changes | undefined,
  sweep: Sweep,
): AsyncGenerator<void> {
  const { kv } = run;
  const { key, position, skipped } = sweep;
  const changedAt = position?.changedAt ?? changes?.readUpTo();
  if (changedAt !== undefined) sweep.changedAt = changedAt;
  for (const since of position?.skipped ?? []) skipped.add(since);
  let checks = 0;
  /** Everyone who is pending since then was checked. */
  let checkedSince: number | undefined;
  async function storePosition() {
    if (checkedSince === undefined) return;
    const row: PositionRow = {
      ...{ v: 1, since: checkedSince },
      ...(changedAt !== undefined && { changedAt }),
      ...(skipped.size > 0 && { skipped: [...skipped].slice(0, MAX_SKIPPED + 1) }),
    };
    await kv.set(key, row);
    sweep.isStored = true;
  }
  async function* check(after: number | undefined, until: number): AsyncGenerator<void> {
    let last: number | undefined;
    for await (const { email, since } of run.pending(after)) {
      if (since > until) return;
      if (last !== undefined && since > last) checkedSince = last;
      last = since;
      await run.checkOne(email, since);
      checks++;
      if (checks % CHECKS_PER_STORED_POSITION === 0) await storePosition();
      if (checks % CHECKS_PER_TURN === 0) yield;
    }
  }
  try {
    yield* check(position?.since, Infinity);
    if (position && changedAt === undefined) yield* check(undefined, position.since);
  } catch (error) {
    await storePosition();
    throw error;
  }
  for await (const email of maybeDeliveredOn(kv, list)) await run.checkOne(email);
}

async function countUpTo(items: AsyncIterable<unknown>, max: number): Promise<number> {
  let count = 0;
  for await (const _ of items) if (++count >= max) break;
  return count;
}
