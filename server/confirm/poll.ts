import type { Clock, Log, Random } from "../deps.ts";
import { keys } from "../kv/keys.ts";
import { withoutAddresses } from "../observe/log.ts";
import type { ListedSubscriber, PageResult, Provider } from "../provider/port.ts";
import type { OnActive } from "../signup/record/record.ts";
import type { OnConfirmed } from "../signup/record/record.ts";
import { syncRecord } from "./sync_record.ts";
import { maybeDeliveredOn } from "./maybe_delivered.ts";
import { expiring, listsToPoll, type PendingEntry, pendingOn } from "./pending_index.ts";

/** What one poll did, for the log and the command line. */
export interface PollReport {
  lists: number;
  /** Requests to the provider. */
  calls: number;
  confirmed: number;
  failed: number;
  expired: number;
  /** Why it could not look at everything; the next slot looks again. Names no address: agents read it too. */
  trouble?: string;
}

export interface Poll {
  /** Look at everything that waits for its confirmation. Never throws for what the provider does. */
  run(signal?: AbortSignal, progress?: (report: PollReport) => void): Promise<PollReport>;
}

interface Options {
  kv: Deno.Kv;
  clock: Clock;
  random: Random;
  /** Calls to it wait for their turn in the account's call budget. */
  provider: Provider;
  log: Log;
  wake: () => void;
  confirmed: OnConfirmed;
  onActive?: OnActive;
}

/** Up to where a list's changes were read. */
interface CursorRow {
  v: 1;
  changedAt: number;
}

/** How far it came, where everybody is asked by name and there was no time for all. No address: it outlives records. */
interface PositionRow {
  v: 1;
  since: number;
}

/** A provider may list a change a little late: this much is read again. */
const OVERLAP_MS = 2 * 60 * 1000;

class Stopped extends Error {}

/**
 * The 15-minute poll (contract 7.11): finds the confirmations of which no webhook told. It reads what changed at
 * the provider since the last time, so its cost follows the changes and not what is stored (design page "provider").
 */
export function createPoll({ kv, clock, random, provider, log, wake, confirmed, onActive }: Options): Poll {
  return {
    async run(signal, progress = () => {}) {
      const report: PollReport = { lists: 0, calls: 0, confirmed: 0, failed: 0, expired: 0 };

      /** Count a call; what goes wrong ends the poll, and what was found until then stands. */
      async function call<R extends { kind: string }>(
        ask: () => Promise<R>,
      ): Promise<Exclude<R, { kind: "trouble" }>> {
        if (signal?.aborted) throw new Stopped("The poll was interrupted.");
        report.calls++;
        const result = await ask();
        progress(report);
        if (result.kind === "trouble") throw new Stopped((result as unknown as { reason: string }).reason);
        return result as Exclude<R, { kind: "trouble" }>;
      }

      async function followed(list: string, seen: ListedSubscriber, last = false) {
        const record = await syncRecord({ kv, clock, random, onActive }, list, seen, last);
        const became = record?.status;
        if (became === "active") {
          report.confirmed++;
          confirmed(record!, "poll", seen.changedAt && clock.now() - seen.changedAt);
        }
        if (became === "failed") report.failed++;
        if (became === "expired") report.expired++;
        if (became) progress(report);
      }

      async function askOne(list: string, email: string, last = false) {
        const read = await call(() => provider.status({ list, email }, signal));
        if (read.kind === "found") await followed(list, { email, ...read }, last);
        else if (last) await followed(list, { email, status: "pending" }, last);
      }

      /** Goes on where the last poll had to stop, so that the newest have their turn however many wait. */
      async function oneByOne(list: string) {
        const key = keys.pollPosition(list);
        const position = (await kv.get<PositionRow>(key)).value ?? undefined;
        let asked: Pick<PendingEntry, "since"> | undefined = position;
        try {
          for await (const entry of pendingOn(kv, list, position?.since)) {
            await askOne(list, entry.email);
            asked = entry;
          }
          asked = undefined;
        } finally {
          if (asked) await kv.set(key, { v: 1, since: asked.since } satisfies PositionRow);
          else if (position) await kv.delete(key);
        }
        // From the start to where this poll began.
        if (position) {
          for await (const entry of pendingOn(kv, list)) {
            if (entry.since > position.since) break;
            await askOne(list, entry.email);
          }
        }
        for await (const email of maybeDeliveredOn(kv, list)) await askOne(list, email);
      }

      /** Everybody who waits here and no longer waits there has changed. */
      async function byUnconfirmed(list: string, first: Page) {
        const waiting = new Set<string>();
        for (let page = 1, current = first;; page++) {
          for (const { email } of current.items) waiting.add(email.toLowerCase());
          if (!current.more) break;
          const next = page;
          current = await call(() => provider.unconfirmed(list, next));
        }
        for await (const { email } of pendingOn(kv, list)) {
          if (!waiting.has(email)) await askOne(list, email);
        }
        for await (const email of maybeDeliveredOn(kv, list)) {
          if (!waiting.has(email)) await askOne(list, email);
        }
      }

      /** @returns whether the list was read back to `since` within `pages` more pages */
      async function byChanges(list: string, first: Page, since: number, pages: number): Promise<boolean> {
        for (let page = 1, current = first;; page++) {
          for (const item of current.items) {
            if (item.changedAt === undefined) return false;
            if (item.changedAt < since) return true;
            await followed(list, { email: item.email.toLowerCase(), status: item.status });
          }
          if (!current.more) return true;
          if (page > pages) return false;
          const next = page;
          current = await call(() => provider.changed(list, next));
        }
      }

      /**
       * The first page of changes is nearly always enough. When it is not, go on with them for as many calls as
       * the next best way would cost, then take that: never more than twice the cheapest.
       */
      async function pollList(list: string) {
        if (!provider.capabilities.listing) return await oneByOne(list);
        const cursor = (await kv.get<CursorRow>(keys.pollCursor(list))).value;
        const first = await call(() => provider.changed(list, 0));
        const newest = first.items[0]?.changedAt;
        const since = (cursor?.changedAt ?? Infinity) - OVERLAP_MS;

        if (!cursor || !(await byChanges(list, first, since, 0))) {
          const unconfirmed = await call(() => provider.unconfirmed(list, 0));
          const pages = unconfirmed.items.length > 0
            ? Math.ceil(unconfirmed.total / unconfirmed.items.length)
            : 1;
          const pending = await countUpTo(pendingOn(kv, list), pages + 1);
          if (!cursor || !(await byChanges(list, first, since, Math.min(pages, pending)))) {
            if (pending < pages) await oneByOne(list);
            else await byUnconfirmed(list, unconfirmed);
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
          // Those whose 30 days are over are asked one last time by name.
          for await (const { email } of expiring(kv, list, clock.now())) await askOne(list, email, true);
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

async function countUpTo(items: AsyncIterable<unknown>, most: number): Promise<number> {
  let count = 0;
  for await (const _ of items) if (++count >= most) break;
  return count;
}
