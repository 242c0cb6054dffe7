import type { Clock, Log, Random } from "../../platform/deps.ts";
import type { Fence, JobDefinition, JobResult } from "../../platform/jobs/handler.ts";
import type { Keyring } from "../../platform/keys/keyring.ts";
import { addJob } from "../../platform/jobs/add.ts";
import { jobKey } from "../../platform/jobs/row.ts";
import { cas } from "../../platform/kv/cas.ts";
import type { EntriesOf } from "../../platform/kv/entries.ts";
import { listReadable } from "../../platform/kv/bad_rows.ts";
import { readRow } from "../../platform/kv/key.ts";
import { keys } from "../../platform/kv/keys.ts";
import { type AtomicOperation, type Kv, UnreadableRow } from "../../platform/kv/port.ts";
import type { Markers } from "../../shops/mail/markers.ts";
import { withoutAddresses } from "../../platform/observe/log.ts";
import { erasePersonJob } from "../privacy/erase_job.ts";
import type { Provider } from "../../providers/port/port.ts";
import { ABOUT_ADDRESS, asSentence, retryRead, type Trouble } from "../../providers/port/trouble.ts";
import type { SettingsStore } from "../../settings/store/store.ts";
import { propertiesOf } from "../../signup/delivery/properties.ts";
import { putConsent, readConfirmedConsents, withoutConsent } from "../../signup/record/consents.ts";
import { putRecord } from "../../signup/record/record.ts";
import { type ConsentRow, signupKey, type SignupRecord } from "../../signup/record/row.ts";
import { applyListStatus } from "../../signup/record/states.ts";
import type { RunPayload } from "../person/run_jobs.ts";
import { movePerson, type MoveResult, skipped } from "./move_person.ts";
import { addValues } from "./moved_values.ts";
import {
  migrationKey,
  type MigrationRow,
  migrationRun,
  type Position,
  sealedImporting,
  sealedPosition,
} from "./run.ts";

/** After so many attempts that stopped at a person, they are skipped if the providers answer for one after them. */
const MAX_TRIES = 3;
/** The same if nobody comes after them. */
const MAX_TRIES_AT_END = 10;
/** How many people with trouble are passed over to find one without: with more, it is about the provider. */
const MAX_PASSED_OVER = 3;
const TRY_AGAIN_MS = 30_000;
/** How many proofs of consent a person keeps at most: they are written in one commit. */
const MAX_CONSENTS = 50;

/** People per attempt. The account's call budget sets the pace, and an attempt must end within five minutes. */
export const PEOPLE_PER_ATTEMPT = 50;

interface Options {
  kv: Kv;
  clock: Clock;
  random: Random;
  keyring: Keyring;
  settings: SettingsStore;
  log: Log;
  markers: Markers;
  /** Finds the erasures that a provider has not done yet. */
  erasures: { openAt(provider: string, email: string): Promise<unknown> };
  /** The provider of the settings. Its calls wait for the call budget. */
  provider: Provider;
  /** Returns another provider, whose calls wait for its own call budget. */
  providerNamed(name: string): Provider | undefined;
}

/**
 * Moves subscribers to another provider, a few people per attempt. Each person is settled in one commit: their record, the
 * one for the new list, the progress and the position. After a crash, only the last person is asked about again.
 */
export function migrateProvider(options: Options): Pick<JobDefinition<RunPayload>, "handle" | "onDead"> {
  const { kv, clock, random, log } = options;

  /** Stores whom the new provider may get next: if they are erased and the process dies, nobody else knows. */
  async function storeImporting(run: MigrationRow, records: readonly SignupRecord[], fence: Fence) {
    const people = records.map(({ email, list, createdAt }) => ({ email, list, createdAt }));
    const importing = await sealedImporting.seal(options, people);
    await migrationRun.change(options, run.startedAt, (latest) => ({ ...latest, importing }), fence);
  }

  /** Erases at the new provider who was erased here during an attempt that was interrupted. */
  async function eraseInterrupted(run: MigrationRow, fence: Fence): Promise<void> {
    const people = await sealedImporting.open(options, run.importing) ?? [];
    for (const { email, list, createdAt } of people) {
      const erasure = erasureAfterImport(options, run, email);
      const read = { record: signupKey(email, list), ...erasure.read };
      await cas(kv, read, ({ record: { value: record }, ...others }) => ({
        value: undefined,
        ...(record?.createdAt !== createdAt && { write: (tx) => erasure.write(tx, others, record) }),
      }), { clock, random, fence });
    }
  }

  const storeTries = (startedAt: number, tries: number, fence: Fence) =>
    migrationRun.change(options, startedAt, (run) => ({ ...run, tries }), fence);

  /** Returns the run and where it goes on, or why it can't. */
  async function readRun(
    startedAt: number,
  ): Promise<JobResult | { run: MigrationRow; from: Provider; position: Position | undefined }> {
    const run = await readRow(kv, migrationKey);
    if (!run || run.ended || run.startedAt !== startedAt) {
      return { kind: "cancel", reason: "The move has ended." };
    }
    if (options.settings.current().general.provider !== run.to) {
      return { kind: "retry", reason: `The provider is no longer ${run.to}.` };
    }
    const from = options.providerNamed(run.from);
    const position = await sealedPosition.open(options, run.position);
    if (from && (run.position === undefined || position)) return { run, from, position };
    await migrationRun.end(options, startedAt, "failed");
    return {
      kind: "cancel",
      reason: "The old provider's key is no longer set, or the position is unknown. Start the move again.",
    };
  }

  /** Moves a person at the providers, with the newest consent that they confirmed. */
  async function move(
    { run, from, list, record, signal }: {
      run: MigrationRow;
      from: Provider;
      list: string;
      record: SignupRecord;
      signal: AbortSignal;
    },
  ): Promise<{ consents: ConsentRow[]; result: MoveResult | Trouble }> {
    const consents = await readConfirmedConsents(kv, record, MAX_CONSENTS);
    if (await options.erasures.openAt(run.to, record.email)) return { consents, result: BEING_ERASED };
    const { provider: to } = options;
    const properties = propertiesOf(options.settings.current(), record, to.capabilities.properties) ?? {};
    const { dryRun } = run;
    const [consent] = consents;
    return {
      consents,
      result: await movePerson({ from, to, list, record, consent, properties, dryRun, signal }),
    };
  }

  return {
    async handle({ payload: { startedAt }, fence, signal }): Promise<JobResult> {
      const started = await readRun(startedAt);
      if ("kind" in started) return started;
      const { run, from, position } = started;
      await eraseInterrupted(run, fence);
      let handled = 0;
      let tries = run.tries ?? 0;
      const passedOver: (Omit<Settlement, "result"> & { trouble: Trouble })[] = [];
      const unreadable: Position[] = [];
      const skipPassedOver = async () => {
        for (const { trouble, ...who } of passedOver.splice(0)) {
          const reason = `A provider has trouble with the address: ${
            asSentence(withoutAddresses(trouble.reason))
          }`;
          await settle(options, {
            ...who,
            result: { kind: "skipped", reason },
            mayBeThere: trouble.unknown,
          });
          handled++;
        }
        for (const entry of unreadable.splice(0)) await skipUnreadable(options, run, entry, fence);
      };
      for await (const entry of activeAfter(kv, run, position)) {
        if (handled >= PEOPLE_PER_ATTEMPT || signal.aborted) {
          log.info("migration.progress", { handled });
          return { kind: "snooze", until: clock.now(), reason: "More people to move." };
        }
        const record = await readRow(kv, signupKey(entry.email, entry.list)).catch((error) => {
          if (error instanceof UnreadableRow) return undefined;
          throw error;
        });
        if (record === undefined) {
          unreadable.push(entry);
          continue;
        }
        // The new provider may have a list with the same ID, and people on it already.
        if (record?.status !== "active" || record.provider === run.to) continue;
        const list = run.lists[entry.list]!;
        if (!run.dryRun) {
          await storeImporting(run, [...passedOver.map((who) => who.record), record], fence);
        }
        const { consents, result } = await move({ run, from, list, record, signal });
        const who = { run, entry, list, record, consents, fence };
        if (result.kind === "trouble") {
          const isPassable = ABOUT_ADDRESS.has(result.code) && tries + 1 >= MAX_TRIES &&
            passedOver.length < MAX_PASSED_OVER;
          if (isPassable) {
            passedOver.push({ ...who, trouble: result });
            continue;
          }
          if (ABOUT_ADDRESS.has(result.code)) await storeTries(startedAt, tries + 1, fence);
          const { reason, retryAfterMs } = result;
          return handled === 0
            ? retryRead(result)
            // Its age starts again with each person who is settled.
            : { kind: "snooze", until: clock.now() + Math.max(TRY_AGAIN_MS, retryAfterMs ?? 0), reason };
        }
        await skipPassedOver();
        await settle(options, { ...who, result });
        handled++;
        tries = 0;
      }
      const [last] = passedOver;
      if (last && tries + 1 < MAX_TRIES_AT_END) {
        await storeTries(startedAt, tries + 1, fence);
        return retryRead(last.trouble);
      }
      await skipPassedOver();
      await migrationRun.end(options, startedAt, "done", fence);
      log.info("migration.done", { handled });
      return { kind: "done" };
    },
    async onDead({ payload }) {
      if (payload) await migrationRun.end(options, payload.startedAt, "failed");
    },
  };
}

const UNREADABLE: MoveResult = { kind: "skipped", reason: "cfbe can't read the signup in its database." };

const BEING_ERASED: MoveResult = {
  kind: "skipped",
  reason: "An earlier erasure of the address at the new provider is not done yet.",
};

/** Counts a person whose signup can't be read as skipped. */
async function skipUnreadable(
  options: Options,
  run: MigrationRow,
  entry: Position,
  fence: Fence,
): Promise<void> {
  const position = await sealedPosition.seal(options, entry);
  const skip = (latest: MigrationRow) => ({ ...counted(latest, UNREADABLE), position });
  await migrationRun.change(options, run.startedAt, skip, fence);
}

/** Yields the active signups of the lists, those that became active first come first. */
async function* activeAfter(
  kv: Kv,
  { lists }: MigrationRow,
  position: Position | undefined,
): AsyncGenerator<Position> {
  const remaining = Object.keys(lists);
  if (position) remaining.splice(0, remaining.indexOf(position.list));
  for (const list of remaining) {
    const prefix = keys.byStatusOn("active", list);
    // Nothing sorts between an address and the same address with `true` behind it.
    const range = position?.list === list
      ? { prefix, start: [...prefix, position.since, position.email, true] }
      : { prefix };
    for await (const { key } of listReadable(kv, range, { batchSize: PEOPLE_PER_ATTEMPT })) {
      yield { list, since: key.at(-2) as number, email: key.at(-1) as string };
    }
  }
}

interface Settlement {
  run: MigrationRow;
  entry: Position;
  /** ID of the list at the new provider. */
  list: string;
  /** As it was before the call. */
  record: SignupRecord;
  /** The proofs of consent that they confirmed, newest first. */
  consents: readonly ConsentRow[];
  result: MoveResult;
  /** Whether the new provider may have added the person; by default, if the result says so. */
  mayBeThere?: boolean;
  fence: Fence;
}

/** Returns how to queue the erasure at the new provider of a person who was erased here during their import. */
function erasureAfterImport({ clock, markers }: Options, { to }: MigrationRow, email: string) {
  const person = markers.person(email);
  const payload = { email, provider: true, at: to, isErasedHere: true };
  const job = erasePersonJob(person, payload);
  const read = { erasure: jobKey(job.id), erased: markers.erased(person) };
  return {
    read,
    /** @param record the person's record now, if they have signed up again: that signup stays */
    write(
      tx: AtomicOperation,
      { erasure, erased }: EntriesOf<typeof read>,
      record: SignupRecord | null,
    ): void {
      const now = clock.now();
      const requestedAt = erased.value?.at ?? (record ? record.createdAt - 1 : now);
      addJob(tx, erasure, { ...job, payload: { ...payload, requestedAt }, due: now }, now);
    },
  };
}

/** Commits what became of one person. Who has left the old provider's list meanwhile is not moved. */
async function settle(
  options: Options,
  { run, entry, list, record: moved, consents, result: found, mayBeThere = found.kind === "moved", fence }:
    Settlement,
) {
  const { kv, clock, random } = options;
  const erasure = erasureAfterImport(options, run, entry.email);
  const position = await sealedPosition.seal(options, entry);
  const read = {
    run: migrationKey,
    record: signupKey(entry.email, entry.list),
    added: signupKey(entry.email, list),
    ...erasure.read,
  };
  await cas(kv, read, ({ run: { value: latest }, record: { value: before }, added, ...others }) => {
    const isCurrent = latest?.startedAt === run.startedAt && !latest.ended;
    // Erased while the call was on its way, so that the erasure did not find the person at the new provider.
    const isErased = before?.createdAt !== moved.createdAt;
    const { listStatus = "active" } = before ?? {};
    const isUnchanged = listStatus === moved.listStatus && before?.listStatusAt === moved.listStatusAt;
    const hasLeft = !isErased && listStatus !== "active" && !isUnchanged;
    const result = hasLeft ? skipped(listStatus, "old") : found;
    const toErase = (isErased || hasLeft) && mayBeThere && !run.dryRun;
    if (!isCurrent && !toErase) return { value: undefined };
    return {
      value: undefined,
      write(tx) {
        const now = clock.now();
        if (toErase) erasure.write(tx, others, isErased ? before : null);
        if (!isCurrent) return;
        tx.set(migrationKey, { ...counted(latest, result), position });
        if (isErased || !before || run.dryRun) return;
        const migration = { run: run.startedAt, to: run.to, list, ...outcomeOf(result) };
        const isAdded = result.kind !== "skipped";
        // Only people who are active at the old provider are added.
        const known = isAdded && isUnchanged ? applyListStatus(before, "active", "poll", now) : before;
        // Both lists can have the same ID, and then one record.
        const at = isAdded && list === entry.list ? { provider: run.to } : {};
        putRecord(tx, before, { ...known, migration, ...at });
        if (!isAdded || added.value) return;
        const copy = copyFor(known, { provider: run.to, list }, now);
        putRecord(tx, null, copy);
        for (const consent of consents) putConsent(tx, copy, consent);
      },
    };
  }, { clock, random, fence });
}

function outcomeOf(result: MoveResult): Pick<NonNullable<SignupRecord["migration"]>, "result" | "reason"> {
  return result.kind === "skipped" ? { result: "skipped", reason: result.reason } : { result: result.kind };
}

function counted({ tries: _, importing: __, ...run }: MigrationRow, result: MoveResult): MigrationRow {
  if (result.kind !== "skipped") {
    const values = addValues(run.values ?? { stored: 0, omitted: {} }, result.values);
    return { ...run, [result.kind]: run[result.kind] + 1, values };
  }
  return { ...run, skipped: { ...run.skipped, [result.reason]: (run.skipped[result.reason] ?? 0) + 1 } };
}

/** Returns the record of the person on the list at the new provider, without their proofs of consent. */
function copyFor(
  record: SignupRecord,
  at: Required<Pick<SignupRecord, "provider" | "list">>,
  now: number,
): SignupRecord {
  const { migration: _migration, ...rest } = withoutConsent(record);
  return {
    ...rest,
    ...at,
    listStatus: "active",
    listStatusAt: now,
    updatedAt: now,
  };
}
