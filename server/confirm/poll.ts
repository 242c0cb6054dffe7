import type { Clock, Log, Random } from "../deps.ts";
import { withoutAddresses } from "../observe/log.ts";
import type { ListedSubscriber, Provider } from "../provider/port.ts";
import { readRow } from "../kv/key.ts";
import { signupKey } from "../signup/record/row.ts";
import type { OnActive, OnConfirmed } from "../signup/record/record.ts";
import { syncRecord } from "./sync_record.ts";
import { type ProviderChoice, providerOf } from "./provider_of.ts";
import { expiring, listsToPoll, pendingOn } from "./pending_index.ts";
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

/** The calls of its providers wait until the account's call budget allows them. */
interface Options extends ProviderChoice {
  kv: Deno.Kv;
  clock: Clock;
  random: Random;
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
export function createPoll(options: Options): Poll {
  const { kv, clock, random, log, wake, onConfirmed, onActive } = options;
  const providerFor = async (email: string, list: string) =>
    providerOf(options, await readRow(kv, signupKey(email, list)));

  /** Returns the provider of a list, by the signup that has been pending longest. */
  async function providerOn(list: string): Promise<Provider> {
    for await (const { email } of pendingOn(kv, list)) return await providerFor(email, list);
    return options.provider;
  }

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

      function noteTrouble(error: unknown) {
        if (!(error instanceof Stopped)) throw error;
        report.trouble = withoutAddresses(error.message);
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
        const provider = await providerFor(email, list);
        const read = await call(() => provider.status({ list, email }, signal));
        if (read.kind === "found") await sync(list, { email, ...read }, isLast);
        else if (isLast) await sync(list, { email, status: "pending" }, isLast);
      }

      /** Polls one list, and checks signups whose 30 days are over one last time. */
      async function pollOne(list: string, provider: Provider) {
        const pollRun: PollRun = { kv, clock, provider, call, sync, checkOne };
        await pollList(pollRun, list);
        for await (const { email } of expiring(kv, list, clock.now())) await checkOne(list, email, true);
      }

      try {
        for await (const list of listsToPoll(kv)) {
          report.lists++;
          const provider = await providerOn(list);
          if (provider === options.provider) await pollOne(list, provider);
          else await pollOne(list, provider).catch(noteTrouble);
        }
      } catch (error) {
        noteTrouble(error);
      }
      wake();
      log.info("poll.done", { ...report });
      return report;
    },
  };
}
