import type { Clock, Log, Random } from "../deps.ts";
import { keys } from "../kv/keys.ts";
import { withoutAddresses } from "../observe/log.ts";
import type { ListedSubscriber, PageResult, Provider } from "../provider/port.ts";
import type { OnActive } from "../signup/record/record.ts";
import type { OnConfirmed } from "../signup/record/record.ts";
import { syncRecord } from "./sync_record.ts";
import { maybeDeliveredOn } from "./maybe_delivered.ts";
import { expiring, listsToPoll, type PendingEntry, pendingOn } from "./pending_index.ts";

/** The result of a poll, for the log and the command line. */
export interface PollReport {
  lists: number;
  /** Requests to the provider. */
  calls: number;
  confirmed: number;
  failed: number;
  expired: number;
  /** Why the poll stopped early; the next one tries again. Contains no address, because agents read it too. */
  trouble?: string;
}

export interface Poll {
  /** Reads the status of all pending signups. Provider errors end the poll and are reported, not thrown. */
  run(signal?: AbortSignal, progress?: (report: PollReport) => void): Promise<PollReport>;
}

interface Options {
  kv: Deno.Kv;
  clock: Clock;
  random: Random;
  /** Its calls wait until the account's call budget allows them. */
  provider: Provider;
  log: Log;
  wake: () => void;
  onConfirmed: OnConfirmed;
  onActive?: OnActive;
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

class Stopped extends Error {}

/**
 * Creates the 15-minute poll (contract 7.11), which finds confirmations that no webhook reported. It reads the changes
 * since the previous poll, so the number of calls depends on the changes and not on the number of pending signups.
 */
export function createPoll({ kv, clock, random, provider, log, wake, onConfirmed, onActive }: Options): Poll {
  return {
    async run(signal, progress = () => {}) {
      const report: PollReport = { lists: 0, calls: 0, confirmed: 0, failed: 0, expired: 0 };

      /** Makes and counts a call. Trouble ends the poll; what was found until then is kept. */
      async function call<R extends { kind: string }>(
        request: () => Promise<R>,
      ): Promise<Exclude<R, { kind: "trouble" }>> {
        if (signal?.aborted) throw new Stopped("The poll was interrupted.");
        report.calls++;
        const result = await request();
        progress(report);
        if (result.kind === "trouble") throw new Stopped((result as unknown as { reason: string }).reason);
        return result as Exclude<R, { kind: "trouble" }>;
      }

      async function sync(list: string, seen: ListedSubscriber, isLast = false) {
        const record = await syncRecord({ kv, clock, random, onActive }, list, seen, isLast);
        const newStatus = record?.status;
        if (newStatus === "active") {
          report.confirmed++;
          onConfirmed(record!, "poll", seen.changedAt && clock.now() - seen.changedAt);
        }
        if (newStatus === "failed") report.failed++;
        if (newStatus === "expired") report.expired++;
        if (newStatus) progress(report);
      }

      async function checkOne(list: string, email: string, isLast = false) {
        const read = await call(() => provider.status({ list, email }, signal));
        if (read.kind === "found") await sync(list, { email, ...read }, isLast);
        else if (isLast) await sync(list, { email, status: "pending" }, isLast);
      }

      /** Checks every address. Continues where the previous poll stopped, so that the newest signups get their turn. */
      async function pollOneByOne(list: string) {
        const key = keys.pollPosition(list);
        const position = (await kv.get<PositionRow>(key)).value ?? undefined;
        let lastChecked: Pick<PendingEntry, "since"> | undefined = position;
        try {
          for await (const entry of pendingOn(kv, list, position?.since)) {
            await checkOne(list, entry.email);
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
            await checkOne(list, entry.email);
          }
        }
        for await (const email of maybeDeliveredOn(kv, list)) await checkOne(list, email);
      }

      /** Reads who is unconfirmed at the provider, and checks each pending address that is not among them. */
      async function pollByUnconfirmed(list: string, first: Page) {
        const unconfirmed = new Set<string>();
        for (let page = 1, current = first;; page++) {
          for (const { email } of current.items) unconfirmed.add(email.toLowerCase());
          if (!current.more) break;
          const next = page;
          current = await call(() => provider.unconfirmed(list, next));
        }
        for await (const { email } of pendingOn(kv, list)) {
          if (!unconfirmed.has(email)) await checkOne(list, email);
        }
        for await (const email of maybeDeliveredOn(kv, list)) {
          if (!unconfirmed.has(email)) await checkOne(list, email);
        }
      }

      /** Reads the changes of a list. Returns whether it got back to `since` within `pages` more pages. */
      async function pollByChanges(
        list: string,
        first: Page,
        since: number,
        pages: number,
      ): Promise<boolean> {
        for (let page = 1, current = first;; page++) {
          for (const item of current.items) {
            if (item.changedAt === undefined) return false;
            if (item.changedAt < since) return true;
            await sync(list, { email: item.email.toLowerCase(), status: item.status });
          }
          if (!current.more) return true;
          if (page > pages) return false;
          const next = page;
          current = await call(() => provider.changed(list, next));
        }
      }

      /**
       * Polls a list in the cheapest way. The first page of changes is nearly always enough. If it is not, reads more
       * pages for as many calls as the next cheapest way needs, then uses that: at most twice the cheapest.
       */
      async function pollList(list: string) {
        if (!provider.capabilities.listing) return await pollOneByOne(list);
        const cursor = (await kv.get<CursorRow>(keys.pollCursor(list))).value;
        const first = await call(() => provider.changed(list, 0));
        const newest = first.items[0]?.changedAt;
        const since = (cursor?.changedAt ?? Infinity) - OVERLAP_MS;

        if (!cursor || !(await pollByChanges(list, first, since, 0))) {
          const unconfirmed = await call(() => provider.unconfirmed(list, 0));
          const pages = unconfirmed.items.length > 0
            ? Math.ceil(unconfirmed.total / unconfirmed.items.length)
            : 1;
          const pending = await countUpTo(pendingOn(kv, list), pages + 1);
          if (!cursor || !(await pollByChanges(list, first, since, Math.min(pages, pending)))) {
            if (pending < pages) await pollOneByOne(list);
            else await pollByUnconfirmed(list, unconfirmed);
          }
        }
        if (newest !== undefined) {
          await kv.set(keys.pollCursor(list), { v: 1, changedAt: newest } satisfies CursorRow);
        }
      }

      try {
        for await (const list of listsToPoll(kv)) {
          report.lists++;
          await pollList(list);
          // Signups whose 30 days are over are checked one last time.
          for await (const { email } of expiring(kv, list, clock.now())) await checkOne(list, email, true);
        }
      } catch (error) {
        if (!(error instanceof Stopped)) throw error;
        report.trouble = withoutAddresses(error.message);
      }
      wake();
      log.info("poll.done", { ...report });
      return report;
    },
  };
}

type Page = Extract<PageResult, { kind: "page" }>;

async function countUpTo(items: AsyncIterable<unknown>, max: number): Promise<number> {
  let count = 0;
  for await (const _ of items) if (++count >= max) break;
  return count;
}
