import type { Clock, Log, Random } from "../deps.ts";
import { withoutAddresses } from "../observe/log.ts";
import type { ListedSubscriber, Provider } from "../provider/port.ts";
import type { Trouble, TroubleCode } from "../provider/trouble.ts";
import { PENDING_MAX_AGE_MS } from "../../shared/limits.ts";
import { readRow } from "../kv/key.ts";
import { signupKey } from "../signup/record/row.ts";
import type { SignupProviders } from "../signup/record/provider_of.ts";
import type { OnActive, OnConfirmed } from "../signup/record/record.ts";
import type { ProviderHistory } from "../settings/provider_history.ts";
import type { SettingsStore } from "../settings/store.ts";
import { syncRecord } from "./sync_record.ts";
import { type PendingByProvider, pendingByProvider } from "./pending_by_provider.ts";
import { expired, listsToPoll } from "./pending_index.ts";
import { pollList } from "./poll_list.ts";

/** The result of a poll, for the log and the command line. */
export interface PollReport {
  lists: number;
  /** Requests to the provider. */
  calls: number;
  confirmed: number;
  failed: number;
  expired: number;
  /** Signups that the provider reported trouble about, while it answered about others. The next poll tries again. */
  skipped?: number;
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
  log: Log;
  wake: () => void;
  /** Their calls wait until the account's call budget allows them. */
  signupProviders: SignupProviders;
  settings: Pick<SettingsStore, "current">;
  providerHistory: Pick<ProviderHistory, "names">;
  onConfirmed: OnConfirmed;
  onActive?: OnActive;
}

/** Thrown when a provider can't be asked now. */
class Stopped extends Error {
  constructor(message: string, readonly code?: TroubleCode) {
    super(message);
  }
}

/** Trouble that can be about one address alone. */
const ABOUT_ADDRESS: ReadonlySet<TroubleCode | undefined> = new Set<TroubleCode>([
  "unavailable",
  "unexpected",
  "broken",
  "timeout",
]);
/** After so many addresses in a row with such trouble, it is about the provider. */
const MAX_SKIPPED_IN_A_ROW = 3;

/** How long after its 30 days a signup expires without a last read, if a provider that is not chosen can't be asked. */
const LAST_READ_GRACE_MS = 24 * 60 * 60 * 1000;

/**
 * Creates the 15-minute poll (contract 7.11), which finds confirmations that no webhook reported. It reads the changes
 * since the previous poll, so the number of calls depends on the changes and not on the number of pending signups. Each
 * provider is asked about its own signups. Trouble at the chosen one ends the poll.
 */
export function createPoll(options: Options): Poll {
  const { kv, log, wake, settings, providerHistory, signupProviders } = options;
  const signups = pendingByProvider({ kv, signupProviders, namesSoFar: () => providerHistory.names() });

  return {
    async run(signal, progress = () => {}) {
      const report: PollReport = { lists: 0, calls: 0, confirmed: 0, failed: 0, expired: 0 };
      const noteTrouble = (error: unknown) => {
        if (!(error instanceof Stopped)) throw error;
        report.trouble = withoutAddresses(error.message);
      };
      try {
        for await (const list of listsToPoll(kv)) {
          report.lists++;
          for (const name of await signups.providersOn(list)) {
            const isChosen = name === settings.current().general.provider;
            const run = {
              options,
              signups,
              report,
              progress,
              list,
              name,
              isChosen,
              signal,
              skippedInARow: 0,
            };
            if (isChosen) await pollSignups(run);
            else await pollSignups(run).catch(noteTrouble);
          }
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

/** The poll of the signups on one list that belong to one provider. */
interface Run {
  options: Options;
  signups: PendingByProvider;
  report: PollReport;
  progress: (report: PollReport) => void;
  list: string;
  /** The provider's name. */
  name: string;
  isChosen: boolean;
  signal: AbortSignal | undefined;
  /** How many of the last checks were skipped, one after the other. */
  skippedInARow: number;
}

/** Polls, and checks signups whose 30 days are over one last time. Those of a provider that can't be used just expire. */
async function pollSignups(run: Run): Promise<void> {
  const { options, signups, list, name, isChosen, signal } = run;
  const { kv, clock, signupProviders } = options;
  const provider = signupProviders.named(name);
  const pending = (after?: number) => signups.pendingAt(name, list, after);
  const expire = (email: string) => sync(run, { email, status: "pending" }, true);
  const check = (email: string, isLast?: boolean) => checkOne(run, provider!, email, isLast);
  const isOverdue = (since: number) => clock.now() - since >= PENDING_MAX_AGE_MS + LAST_READ_GRACE_MS;
  try {
    if (provider) {
      const call = <R extends { kind: string }>(request: () => Promise<R>) => callAndCount(run, request);
      await pollList({
        ...{ kv, clock, provider, name, signupProviders, pending, call },
        sync: (seen) => sync(run, seen),
        checkOne: check,
      }, list);
    }
    for await (const { email, since } of expired(pending(), clock.now())) {
      if (!provider) await expire(email);
      else if (!(await check(email, true)) && isOverdue(since)) await expire(email);
    }
  } catch (error) {
    if (!isChosen && error instanceof Stopped && !signal?.aborted) {
      for await (const { email } of expired(pending(), clock.now() - LAST_READ_GRACE_MS)) await expire(email);
    }
    throw error;
  }
}

/**
 * Reads one status. Skips an address that the provider has trouble with, so that it doesn't keep the others waiting.
 *
 * @returns whether it was not skipped
 */
async function checkOne(run: Run, provider: Provider, email: string, isLast = false): Promise<boolean> {
  const { options: { kv, signupProviders }, list, name, signal, report } = run;
  const record = await readRow(kv, signupKey(email, list));
  if (!record || signupProviders.nameOf(record) !== name) return true;
  try {
    const read = await callAndCount(run, () => provider.status({ list, email }, signal));
    if (read.kind === "found") await sync(run, { email, ...read }, isLast);
    else if (isLast) await sync(run, { email, status: "pending" }, isLast);
  } catch (error) {
    if (!(error instanceof Stopped) || !ABOUT_ADDRESS.has(error.code)) throw error;
    if (++run.skippedInARow === MAX_SKIPPED_IN_A_ROW) throw error;
    report.skipped = (report.skipped ?? 0) + 1;
    return false;
  }
  run.skippedInARow = 0;
  return true;
}

/** Makes and counts a call. Throws if the provider reports trouble; what was found until then is kept. */
async function callAndCount<R extends { kind: string }>(
  { report, progress, signal }: Run,
  request: () => Promise<R>,
): Promise<Exclude<R, { kind: "trouble" }>> {
  if (signal?.aborted) throw new Stopped("The poll was interrupted.");
  report.calls++;
  const result = await request();
  progress(report);
  if (result.kind === "trouble") {
    const { reason, code } = result as unknown as Trouble;
    throw new Stopped(reason, code);
  }
  return result as Exclude<R, { kind: "trouble" }>;
}

/** Updates a record to what was read, and counts what has changed. */
async function sync(run: Run, { email, status, changedAt }: ListedSubscriber, isLast = false): Promise<void> {
  const { options, list, name, report, progress } = run;
  const record = await syncRecord(options, { email, list, provider: name, status }, isLast);
  const newStatus = record?.status;
  if (newStatus === "active") {
    report.confirmed++;
    options.onConfirmed(record!, "poll", changedAt && options.clock.now() - changedAt);
  }
  if (newStatus === "failed") report.failed++;
  if (newStatus === "expired") report.expired++;
  if (newStatus) progress(report);
}
