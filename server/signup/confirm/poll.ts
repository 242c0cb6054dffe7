import type { Clock, Log, Random } from "../../platform/deps.ts";
import type { Kv } from "../../platform/kv/port.ts";
import { withoutAddresses } from "../../platform/observe/log.ts";
import type { FoundStatus, ListedSubscriber, Provider } from "../../providers/port/port.ts";
import { ABOUT_ADDRESS, type Trouble, type TroubleCode } from "../../providers/port/trouble.ts";
import { PENDING_MAX_AGE_MS } from "../../../shared/limits.ts";
import { type BadRows, createBadRows } from "../../platform/kv/bad_rows.ts";
import { readRow } from "../../platform/kv/key.ts";
import { signupKey } from "../record/row.ts";
import type { SignupProviders } from "../record/provider_of.ts";
import type { OnActive, OnConfirmed } from "../record/record.ts";
import type { ProviderHistory } from "../../settings/store/provider_history.ts";
import type { SettingsStore } from "../../settings/store/store.ts";
import { syncRecord } from "./sync_record.ts";
import { type PendingByProvider, pendingByProvider } from "./pending_by_provider.ts";
import { expired, listsToPoll, newestPending } from "./pending_index.ts";
import { pollList } from "./poll_list.ts";

/** The result of a poll, for the log and the command line. */
export interface PollReport {
  lists: number;
  /** Requests to the provider. */
  calls: number;
  confirmed: number;
  failed: number;
  expired: number;
  /**
   * Signups that the provider reported trouble about, while it answered about others, or that can't be read from the
   * database. The next poll tries again.
   */
  skipped?: number;
  /** Why the poll of a list stopped early; the next one tries again. Contains no address, because agents read it too. */
  trouble?: string;
  /** Whether a poll can be without that trouble soon. It can't if the provider has deleted the lists. */
  mayPass?: true;
}

export interface Poll {
  /** Reads the status of all pending signups. Provider errors end the poll and are reported, not thrown. */
  run(signal?: AbortSignal, progress?: (report: PollReport) => void): Promise<PollReport>;
}

interface Options {
  kv: Kv;
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

/** After so many addresses in a row with such trouble, it is about the provider. */
const MAX_SKIPPED_IN_A_ROW = 3;

/** Trouble that can be about one list alone. */
const ABOUT_LIST: ReadonlySet<TroubleCode | undefined> = new Set([
  ...ABOUT_ADDRESS,
  ...["forbidden", "no_connection"] as const,
]);
/** After so many lists in a row with such trouble, it is about the provider. */
const MAX_STOPPED_IN_A_ROW = 3;
const STOPPED_BEFORE = "The provider had trouble with other lists.";

/** How long after its 30 days a signup expires without a last read, if its provider can't be asked. */
const LAST_READ_GRACE_MS = 24 * 60 * 60 * 1000;
/** The same at the chosen provider, whose trouble the operator is told about and can end. */
const CHOSEN_GRACE_MS = 7 * LAST_READ_GRACE_MS;

/**
 * Creates the 15-minute poll (contract 7.11), which finds confirmations that no webhook reported. It reads the changes
 * since the previous poll, so the number of calls depends on the changes and not on the number of pending signups. Each
 * provider is asked about its own signups. Lists that need many calls take turns. Trouble with a list ends the poll of that
 * list, and trouble with a provider the poll of all its lists; signups expire in any case.
 */
export function createPoll({ kv: database, ...others }: Options): Poll {
  const badRows = createBadRows(database);
  const { kv } = badRows;
  const options = { ...others, kv };
  const { log, wake, settings, providerHistory, signupProviders } = options;
  const signups = pendingByProvider({ kv, signupProviders, namesSoFar: () => providerHistory.names() });

  return {
    async run(signal, progress = () => {}) {
      const report: PollReport = { lists: 0, calls: 0, confirmed: 0, failed: 0, expired: 0 };
      const stops: Stops = { providers: new Set(), listsInARow: new Map() };
      let turns: AsyncGenerator<void>[] = [];
      for await (const list of listsToPoll(kv)) {
        report.lists++;
        for (const name of await signups.providersOn(list)) {
          const isChosen = name === settings.current().general.provider;
          const newest = await newestPending(kv, list);
          turns.push(
            pollSignups({
              ...{ options, badRows, signups, report, progress, list, name, isChosen, newest, signal, stops },
              skippedInARow: 0,
            }),
          );
          turns = await takeTurns(turns.splice(-1), turns);
        }
      }
      while (turns.length > 0) turns = await takeTurns(turns, []);
      wake();
      log.info("poll.done", { ...report });
      return report;
    },
  };
}

/** Gives each list a turn. @returns `others`, and the lists that have not ended */
async function takeTurns(
  turns: readonly AsyncGenerator<void>[],
  others: AsyncGenerator<void>[],
): Promise<AsyncGenerator<void>[]> {
  const left = [...others];
  for (const turn of turns) if (!(await turn.next()).done) left.push(turn);
  return left;
}

/** Which providers are not asked any more in this poll. */
interface Stops {
  providers: Set<string>;
  /** How many of a provider's lists had trouble, one after the other. */
  listsInARow: Map<string, number>;
}

/** The poll of the signups on one list that belong to one provider. */
interface Run {
  options: Options;
  badRows: Pick<BadRows, "each">;
  signups: PendingByProvider;
  report: PollReport;
  progress: (report: PollReport) => void;
  list: string;
  /** The provider's name. */
  name: string;
  isChosen: boolean;
  /** Since when the newest signup on the list is pending: those that come later are left to the next poll. */
  newest: number;
  signal: AbortSignal | undefined;
  stops: Stops;
  /** How many of the last checks were skipped, one after the other. */
  skippedInARow: number;
}

/** Polls, and checks signups whose 30 days are over one last time. Those of a provider that can't be used just expire. */
async function* pollSignups(run: Run): AsyncGenerator<void> {
  const { options, signups, list, name, isChosen, newest, signal, stops } = run;
  const { kv, clock, signupProviders } = options;
  const provider = signupProviders.named(name);
  async function* pending(after?: number) {
    for await (const entry of signups.pendingAt(name, list, after)) {
      if (entry.since > newest) return;
      yield entry;
    }
  }
  const expire = async (entries: AsyncIterable<{ email: string }>) => {
    for await (const { email } of entries) {
      await sync(run, { email, status: "pending" }, { askedAt: clock.now(), isLast: true });
    }
  };
  if (!provider) return await expire(expired(pending(), clock.now()));
  async function check(email: string, since = Infinity): Promise<boolean> {
    const ageMs = clock.now() - since;
    if (await checkOne(run, provider!, email, ageMs >= PENDING_MAX_AGE_MS)) return true;
    if (ageMs >= PENDING_MAX_AGE_MS + LAST_READ_GRACE_MS) await expire(one({ email }));
    return false;
  }
  try {
    if (stops.providers.has(name)) throw new Stopped(STOPPED_BEFORE);
    const call = <R extends { kind: string }>(request: () => Promise<R>) => callAndCount(run, request);
    yield* pollList({
      ...{ kv, clock, provider, name, signupProviders, pending, call, checkOne: check },
      sync: (seen, askedAt) => sync(run, seen, { askedAt }),
    }, list);
    for await (const { email, since } of expired(pending(), clock.now())) await check(email, since);
    stops.listsInARow.delete(name);
  } catch (error) {
    if (!(error instanceof Stopped)) throw error;
    noteTrouble(run, error);
    const graceMs = isChosen && error.code !== "not_found" ? CHOSEN_GRACE_MS : LAST_READ_GRACE_MS;
    if (!signal?.aborted) await expire(expired(pending(), clock.now() - graceMs));
  }
}

async function* one<T>(item: T): AsyncGenerator<T> {
  yield item;
}

/** Reports why the poll of a list has stopped, and decides whether to ask its provider about other lists. */
function noteTrouble({ report, name, isChosen, stops }: Run, { message, code }: Stopped): void {
  if (message === STOPPED_BEFORE) return;
  if (isChosen || report.trouble === undefined) report.trouble = withoutAddresses(message);
  if (code === "not_found") return;
  report.mayPass = true;
  const inARow = (stops.listsInARow.get(name) ?? 0) + 1;
  stops.listsInARow.set(name, inARow);
  if (!ABOUT_LIST.has(code) || inARow === MAX_STOPPED_IN_A_ROW) stops.providers.add(name);
}

/**
 * Reads one status. Skips an address that the provider has trouble with, so that it doesn't keep the others waiting.
 *
 * @returns whether it was not skipped
 */
async function checkOne(run: Run, provider: Provider, email: string, isLast: boolean): Promise<boolean> {
  const { options: { kv, clock, signupProviders }, list, name, signal, report } = run;
  const [record] = await skipBad(run, () => readRow(kv, signupKey(email, list)));
  if (!record || signupProviders.nameOf(record) !== name) return true;
  let askedAt = clock.now();
  try {
    const read = await callAndCount(run, () => {
      askedAt = clock.now();
      return provider.status({ list, email }, signal);
    });
    if (read.kind === "found") await sync(run, { email, ...read }, { askedAt, isLast });
    else if (isLast) await sync(run, { email, status: "pending" }, { askedAt, isLast });
  } catch (error) {
    if (!(error instanceof Stopped) || !ABOUT_ADDRESS.has(error.code)) throw error;
    if (++run.skippedInARow === MAX_SKIPPED_IN_A_ROW) throw error;
    report.skipped = (report.skipped ?? 0) + 1;
    return false;
  }
  run.skippedInARow = 0;
  return true;
}

/** Does work on one record, and counts it as skipped if the record makes it fail. @returns the result, if any */
async function skipBad<R>({ badRows, report }: Run, work: () => Promise<R>): Promise<R[]> {
  return await badRows.each([undefined], work, () => void (report.skipped = (report.skipped ?? 0) + 1));
}

/** Makes and counts a call. Throws if the provider reports trouble; what was found until then is kept. */
async function callAndCount<R extends { kind: string }>(
  { report, progress, signal }: Run,
  request: () => Promise<R>,
): Promise<Exclude<R, { kind: "trouble" }>> {
  if (signal?.aborted) throw new Stopped("The poll was interrupted.", "cancelled");
  report.calls++;
  const result = await request();
  progress(report);
  if (result.kind === "trouble") {
    const { reason, code } = result as unknown as Trouble;
    throw new Stopped(reason, code);
  }
  return result as Exclude<R, { kind: "trouble" }>;
}

/**
 * Updates a record to what was read, and counts what has changed.
 *
 * @param options.askedAt when the provider was asked, Unix milliseconds
 */
async function sync(
  run: Run,
  { changedAt, ...seen }: ListedSubscriber & Pick<FoundStatus, "isUnexplained">,
  { askedAt, isLast = false }: { askedAt: number; isLast?: boolean },
): Promise<void> {
  const { options, list, name, report, progress } = run;
  const [record] = await skipBad(
    run,
    () => syncRecord(options, { ...seen, list, provider: name, askedAt }, isLast),
  );
  const newStatus = record?.status;
  if (newStatus === "active") {
    report.confirmed++;
    options.onConfirmed(record!, "poll", changedAt && options.clock.now() - changedAt);
  }
  if (newStatus === "failed") report.failed++;
  if (newStatus === "expired") report.expired++;
  if (newStatus) progress(report);
}
