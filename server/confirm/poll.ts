import type { Clock, Log, Random } from "../deps.ts";
import { withoutAddresses } from "../observe/log.ts";
import type { ListedSubscriber, Provider } from "../provider/port.ts";
import type { OnActive, OnConfirmed } from "../signup/record/record.ts";
import { syncRecord } from "./sync_record.ts";
import { expiring, listsToPoll } from "./pending_index.ts";
import { pollList, type PollRun } from "./poll_list.ts";

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

      const pollRun: PollRun = { kv, clock, provider, call, sync, checkOne };
      try {
        for await (const list of listsToPoll(kv)) {
          report.lists++;
          await pollList(pollRun, list);
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
