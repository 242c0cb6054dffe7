import type { Clock, Random } from "../deps.ts";
import { cas, Contended } from "../kv/cas.ts";
import { NoAnswer, NotBegun } from "../kv/deadline.ts";
import { keysIn, type NamedKeys, readEntries } from "../kv/entries.ts";
import type { Entry, Key } from "../kv/key.ts";
import { type ListedRow, listReadable } from "../kv/bad_rows.ts";
import { keys } from "../kv/keys.ts";
import { nameOf } from "../kv/commit_needs.ts";
import type { AtomicOperation, Kv, KvKey } from "../kv/port.ts";
import { SeenRows } from "../kv/seen_rows.ts";
import type { Beginning, Begun } from "./handler.ts";
import {
  activationKey,
  type ActivationRow,
  isDeactivated,
  parked,
  type WhileDeactivated,
} from "./parking.ts";
import { withPlausibleTimes } from "./correct_times.ts";
import { ANY_PLACE, type Places } from "./places.ts";
import { createUnclaimable, type Failure } from "./unclaimable.ts";
import {
  dueKey,
  indexKey,
  type IndexRow,
  jobKey,
  type JobRow,
  kindOf,
  LEASE_MS,
  rowsPerCommit,
  sameKey,
  withNote,
  writeRow,
} from "./row.ts";

/** A job that this process may run, with its row at the time of the claim. */
export interface ClaimedJob {
  readonly row: JobRow;
  readonly token: string;
  /** What the claim did for the handler; see `JobDefinition.begin`. */
  readonly begun?: unknown;
  /** The rows that the claim has read and written. */
  readonly seen?: SeenRows | undefined;
}

/** Returns what the claim of a job does for its handler, if anything. */
export type BeginningOf = (row: JobRow) => Beginning | undefined;

/** An entry of the due index. */
interface DueEntry {
  /** Unix milliseconds. */
  at: number;
  id: string;
}

/** A row of another room that each claim reads together with the jobs, so that it costs no read of its own. */
export interface AlongsideRow<Row = unknown> {
  readonly key: Key<Row>;
  /** Called with what a claim has read. */
  note(row: Row | null): void;
}

const NONE: WhileDeactivated = new Set();
const NO_BEGINNING: BeginningOf = () => undefined;
const NOTHING_BEGUN: Begun<unknown> = { value: undefined };

/** A job that may be claimed, as it was read. */
interface Candidate {
  entry: DueEntry;
  job: Entry<JobRow>;
  /** What the claim does for the handler, and what it reads for that. */
  beginning: Beginning | undefined;
  read: NamedKeys;
}

/** Jobs that were claimed, and those that could not be. */
interface Claims {
  claimed: ClaimedJob[];
  errors: Failure[];
}

const joined = (all: readonly Claims[]): Claims => ({
  claimed: all.flatMap(({ claimed }) => claimed),
  errors: all.flatMap(({ errors }) => errors),
});

/** What all claims of one round share. `now` in Unix milliseconds. */
interface Round {
  now: number;
  whileDeactivated: WhileDeactivated;
  beginningOf: BeginningOf;
  /** Set when a claim finds that the database is being restored. */
  isRestoring?: boolean;
}

export interface ClaimsDeps {
  kv: Kv;
  clock: Clock;
  random: Random;
  /** A row to read with each claim. */
  alongside?: AlongsideRow | undefined;
  /** Called with the stored state of the service before jobs are claimed; if it rejects, none is. */
  onActivation?: ((row: Entry<ActivationRow>) => unknown) | undefined;
}

/**
 * How many entries of the due index to read at once: as many as are wanted, and at least some, because under load, places
 * become free one by one, with entries to pass over before the next claimable one. After a few reads, many at once.
 */
const BATCH = { least: 8, most: 100, after: 4, then: 500 };

/**
 * One claim takes at most so many times `max` entries of the due index. More than `max` are needed if another process is
 * faster, and for jobs that are parked or can't be read.
 */
const TAKEN_PER_JOB = 4;

/**
 * Returns `Queue.claim`: lists the due index once, and claims up to nine jobs per commit, eight with a row `alongside`.
 * For 32 jobs that need nothing else, these are five reads and four commits.
 */
export function createClaims(deps: ClaimsDeps) {
  const { kv, clock, random, alongside, onActivation } = deps;
  const unclaimable = createUnclaimable();
  const together = rowsPerCommit(kv) - (alongside ? 1 : 0);

  /**
   * Reads the jobs of some index entries, and divides them into those that one commit can claim each. None while a shared
   * database is being restored, which requires that the service is deactivated.
   *
   * @param wanted at most `together`
   */
  async function readCandidates(wanted: readonly DueEntry[], round: Round) {
    const { activation, alongside: row, jobs } = await readEntries(kv, {
      activation: activationKey(),
      alongside: alongside?.key,
      jobs: wanted.map(({ id }) => jobKey(id)),
    });
    if (row) alongside?.note(row.value);
    if (isDeactivated(activation) && (await kv.get(keys.restoring())).value !== null) {
      round.isRestoring = true;
      return { activation, commits: [] };
    }
    await onActivation?.(activation);
    const beginnings = separateBeginnings(jobs, round.beginningOf);
    const candidates = wanted.map((entry, i) => ({
      ...{ entry, job: jobs[i]!, beginning: beginnings[i] },
      read: beginnings[i]?.read ?? {},
    }));
    return { activation, commits: inCommits(candidates, kv.engine.limits.checks) };
  }

  /**
   * Claims jobs in one commit, or parks them while the service is deactivated.
   *
   * @returns the jobs claimed, in order, and the entries that do not match their job's row
   */
  async function claimTogether(
    candidates: readonly Candidate[],
    active: Entry<ActivationRow>,
    { now, whileDeactivated }: Round,
  ) {
    const seen = new SeenRows();
    seen.note([active, ...candidates.map(({ job }) => job)]);
    const tokens = candidates.map(() => random.uuid());
    const read = {
      activation: activationKey(),
      jobs: candidates.map(({ entry }) => jobKey(entry.id)),
      begun: candidates.map((candidate) => candidate.read),
    };
    return await cas(kv, read, ({ activation, jobs, begun }) => {
      const writes: ((tx: AtomicOperation) => void)[] = [];
      const claimed: ClaimedJob[] = [];
      const mismatched: DueEntry[] = [];
      candidates.forEach(({ entry, job, beginning }, i) => {
        const before = jobs[i]!.value;
        const token = tokens[i]!;
        if (!before || !sameKey(indexKey(before), dueKey(entry.at, entry.id))) mismatched.push(entry);
        else if (isDeactivated(activation) && !whileDeactivated.has(before.name)) {
          writes.push((tx) => writeRow(tx, before, parked(before)));
        } else {
          // What a beginning reads depends on the payload.
          const isCurrent = jobs[i]!.versionstamp === job.versionstamp;
          const { value, payload = before.payload, write } = isCurrent && beginning
            ? beginning.decide(begun[i]!, clock.now())
            : NOTHING_BEGUN;
          const row = { ...claimedRow(before, token, now), payload };
          writes.push((tx) => (writeRow(tx, before, row), write?.(tx)));
          claimed.push({ row, token, begun: value, seen });
        }
      });
      const value = { claimed, mismatched };
      if (writes.length === 0) return { value };
      return { value, write: (tx) => writes.forEach((write) => write(tx)) };
    }, { ...deps, seen });
  }

  /** Deletes an index entry that belongs to no row. It has most likely moved since it was listed. */
  function deleteStale({ at, id }: DueEntry): Promise<void> {
    return cas(kv, { index: dueKey(at, id), job: jobKey(id) }, ({ index, job }) => {
      const isStale = index.versionstamp !== null &&
        !(job.value && sameKey(indexKey(job.value), index.key));
      return { value: undefined, ...(isStale && { write: (tx) => tx.delete(index.key) }) };
    }, deps);
  }

  /** Claims the jobs of some index entries, together if possible. Never rejects. */
  async function claimBatch(entries: readonly DueEntry[], round: Round): Promise<Claims> {
    try {
      const { activation, commits } = await readCandidates(entries, round);
      // At once, because on an engine with few checks each job needs a commit of its own.
      return joined(await Promise.all(commits.map((each) => claimCommit(each, activation, round))));
    } catch (error) {
      return await claimEach(entries, round, error);
    }
  }

  /** Claims the jobs of one commit, or else each alone. Never rejects. */
  async function claimCommit(
    candidates: readonly Candidate[],
    activation: Entry<ActivationRow>,
    round: Round,
  ): Promise<Claims> {
    try {
      const { claimed, mismatched } = await claimTogether(candidates, activation, round);
      const deleted = await Promise.allSettled(mismatched.map(deleteStale));
      const errors = deleted.flatMap((one, i) =>
        one.status === "rejected" ? [{ id: mismatched[i]!.id, error: one.reason }] : []
      );
      return { claimed, errors };
    } catch (error) {
      return await claimEach(candidates.map(({ entry }) => entry), round, error);
    }
  }

  /** Claims jobs one by one after an error: one row that cannot be claimed must not keep the others from being claimed. */
  async function claimEach(entries: readonly DueEntry[], round: Round, error: unknown): Promise<Claims> {
    if (entries.length === 1) return { claimed: [], errors: [{ id: entries[0]!.id, error }] };
    const claims: Claims[] = [];
    for (const entry of entries) claims.push(await claimBatch([entry], round));
    return joined(claims);
  }

  /**
   * Claims up to `max` due jobs, in the order in which they became due.
   *
   * @param whileDeactivated names of the jobs to claim even while the service is deactivated
   * @param beginningOf what the claims do for the handlers; nothing by default
   * @param places which jobs have a place; all by default
   */
  return async (
    max: number,
    whileDeactivated = NONE,
    beginningOf = NO_BEGINNING,
    places = ANY_PLACE,
  ): Promise<ClaimedJob[]> => {
    const claimed: ClaimedJob[] = [];
    if (max < 1) return claimed;
    const now = clock.now();
    const isClaimable = (id: string) => !unclaimable.has(id, now);
    const due = withPlace(listDue(kv, now, max), places, isClaimable);
    const round: Round = { now, whileDeactivated, beginningOf };

    try {
      let left = max * TAKEN_PER_JOB;
      while (claimed.length < max && left > 0 && !round.isRestoring) {
        const entries = await take(due, Math.min(left, max - claimed.length));
        if (entries.length === 0) break;
        left -= entries.length;
        const batches = inBatches(entries, together).map((batch) => claimBatch(batch, round));
        const { claimed: more, errors } = joined(await Promise.all(batches));
        claimed.push(...more);
        if (errors.length === 0) continue;
        const passing = errors.find(({ error }) => willPass(error));
        if (passing) throw passing.error;
        // Tells rows that can't be claimed from a database that fails.
        await kv.get(activationKey());
        unclaimable.note(errors, now);
      }
      if (claimed.length === 0) unclaimable.report();
    } catch (error) {
      // Jobs already claimed must run, or they would wait until their leases expire.
      if (claimed.length === 0) throw error;
    }
    return claimed;
  };
}

/** Returns whether an error says nothing about the row. */
function willPass(error: unknown): boolean {
  return error instanceof Contended || error instanceof NoAnswer || error instanceof NotBegun;
}

/**
 * Returns what the claim of each job does for its handler. Two jobs that share a row, such as the mail budget of one
 * mailbox, must not both change it in one commit: only the first of them gets its beginning.
 */
function separateBeginnings(
  jobs: readonly Entry<JobRow>[],
  beginningOf: BeginningOf,
): (Beginning | undefined)[] {
  const taken = new Set<string>();
  return jobs.map(({ value: row }) => {
    const beginning = row ? beginningOf(row) : undefined;
    const names = beginning ? keysIn(beginning.read).map(nameOf) : [];
    if (names.some((name) => taken.has(name))) return undefined;
    for (const name of names) taken.add(name);
    return beginning;
  });
}

/** Yields the entries of the due index, of which `wanted` are probably used. */
async function* listDue(kv: Kv, now: number, wanted: number): AsyncGenerator<ListedRow<IndexRow>, void> {
  const end = [...keys.dueAll(), now + 1];
  const batchSize = Math.min(Math.max(wanted, BATCH.least), BATCH.most);
  const limit = batchSize * BATCH.after;
  let [count, last]: [number, KvKey] = [0, []];
  for await (const row of listReadable<IndexRow>(kv, { prefix: keys.dueAll(), end }, { batchSize, limit })) {
    [count, last] = [count + 1, row.key];
    yield row;
  }
  if (count < limit) return;
  // The first key behind the last one.
  yield* listReadable<IndexRow>(kv, { start: [...last, ""], end }, { batchSize: BATCH.then });
}

/** Yields the entries of the due index that can be claimed and for which there is a place. */
async function* withPlace(
  due: AsyncGenerator<ListedRow<IndexRow>, void>,
  places: Places,
  isClaimable: (id: string) => boolean,
): AsyncGenerator<DueEntry, void> {
  let passedOver = 0;
  for await (const { key, value } of due) {
    const id = String(key.at(-1));
    if (!isClaimable(id)) continue;
    const kind = { kind: kindOf(id), isRetry: value?.isRetry ?? false };
    if (places.take(kind)) yield { at: Number(key.at(-2)), id };
    else if (++passedOver > places.passOver) return;
  }
}

/** Returns the next entries, at most `count`. */
async function take(due: AsyncGenerator<DueEntry, void>, count: number): Promise<DueEntry[]> {
  const entries: DueEntry[] = [];
  while (entries.length < count) {
    const { done, value } = await due.next();
    if (done) break;
    entries.push(value);
  }
  return entries;
}

/** Divides candidates into those of one commit each, which can make so many checks. */
function inCommits(candidates: readonly Candidate[], checks: number): Candidate[][] {
  const commits: Candidate[][] = [];
  let used = Infinity;
  for (const candidate of candidates) {
    const needed = 1 + keysIn(candidate.read).length;
    used += needed;
    if (used <= checks) commits.at(-1)!.push(candidate);
    else {
      commits.push([candidate]);
      // The activation.
      used = 1 + needed;
    }
  }
  return commits;
}

/** Splits entries into batches that fit in one commit each, unless the claims themselves need more rows. */
function inBatches(entries: readonly DueEntry[], size: number): DueEntry[][] {
  const batches: DueEntry[][] = [];
  for (let from = 0; from < entries.length; from += size) batches.push(entries.slice(from, from + size));
  return batches;
}

function claimedRow(stored: JobRow, token: string, now: number): JobRow {
  const before = withPlausibleTimes(stored, now);
  // Still marked as running: the attempt that held the lease never stored a result.
  const expired = before.state === "running";
  return {
    ...before,
    state: "running",
    attempts: before.attempts + 1,
    lease: { token, until: now + LEASE_MS },
    unknown: before.unknown || expired,
    history: expired
      ? withNote(before, now, `attempt ${before.attempts} never reported back`)
      : before.history,
  };
}
