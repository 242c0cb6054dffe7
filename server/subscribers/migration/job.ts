import type { Clock, Log, Random } from "../../deps.ts";
import type { Fence, JobDefinition, JobResult } from "../../jobs/handler.ts";
import type { Keyring } from "../../keys/keyring.ts";
import { cas } from "../../kv/cas.ts";
import { readRow } from "../../kv/key.ts";
import { keys } from "../../kv/keys.ts";
import type { Provider } from "../../provider/port.ts";
import type { SettingsStore } from "../../settings/store.ts";
import { propertiesOf } from "../../signup/delivery/properties.ts";
import { readConsents, withoutConsent } from "../../signup/record/consents.ts";
import { putRecord } from "../../signup/record/record.ts";
import { type ConsentRow, signupKey, type SignupRecord } from "../../signup/record/row.ts";
import type { RunPayload } from "../run_jobs.ts";
import { movePerson, type MoveResult } from "./move_person.ts";
import { addValues } from "./moved_values.ts";
import {
  endedMigration,
  migrationKey,
  type MigrationRow,
  openPosition,
  type Position,
  sealPosition,
} from "./run.ts";

/** People per attempt. The account's call budget sets the pace, and an attempt must end within five minutes. */
export const PEOPLE_PER_ATTEMPT = 50;

interface Options {
  kv: Deno.Kv;
  clock: Clock;
  random: Random;
  keyring: Keyring;
  settings: SettingsStore;
  log: Log;
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

  /** Marks the run as ended, unless another one has started since. */
  async function end(startedAt: number, how: "done" | "failed", fence?: Fence): Promise<void> {
    await cas(kv, { run: migrationKey }, ({ run: { value: run } }) => {
      if (!run || run.ended || run.startedAt !== startedAt) return { value: undefined };
      return {
        value: undefined,
        write: (tx) => void tx.set(migrationKey, endedMigration(run, how, clock.now())),
      };
    }, { clock, random, fence });
  }

  return {
    async handle({ payload: { startedAt }, fence, signal }): Promise<JobResult> {
      const run = await readRow(kv, migrationKey);
      if (!run || run.ended || run.startedAt !== startedAt) {
        return { kind: "cancel", reason: "The move has ended." };
      }
      if (options.settings.current().general.provider !== run.to) {
        return { kind: "retry", reason: `The provider is no longer ${run.to}.` };
      }
      const from = options.providerNamed(run.from);
      const position = run.position === undefined ? undefined : await openPosition(options, run.position);
      if (!from || (run.position !== undefined && !position)) {
        await end(startedAt, "failed");
        return {
          kind: "cancel",
          reason:
            "The old provider's key is no longer set, or the position is unknown. Start the move again.",
        };
      }
      let handled = 0;
      for await (const entry of activeAfter(kv, run, position)) {
        if (handled >= PEOPLE_PER_ATTEMPT || signal.aborted) {
          log.info("migration.progress", { handled });
          return { kind: "snooze", until: clock.now(), reason: "More people to move." };
        }
        const record = await readRow(kv, signupKey(entry.email, entry.list));
        // The new provider may have a list with the same ID, and people on it already.
        if (record?.status !== "active" || record.provider === run.to) continue;
        const list = run.lists[entry.list]!;
        const [consent] = await readConsents(kv, record, 1);
        const { dryRun } = run;
        const store = options.provider.capabilities.properties;
        const properties = propertiesOf(options.settings.current(), record, store) ?? {};
        const result = await movePerson({
          from,
          to: options.provider,
          list,
          record,
          consent,
          properties,
          dryRun,
          signal,
        });
        if (result.kind === "trouble") {
          return { kind: "retry", reason: result.reason, retryAfterMs: result.retryAfterMs };
        }
        await settle(options, { run, entry, list, consent, result, fence });
        handled++;
      }
      await end(startedAt, "done", fence);
      log.info("migration.done", { handled });
      return { kind: "done" };
    },
    async onDead({ payload }) {
      if (payload) await end(payload.startedAt, "failed");
    },
  };
}

/** Yields the active signups of the lists, those that became active first come first. */
async function* activeAfter(
  kv: Deno.Kv,
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
    for await (const { key } of kv.list(range, { batchSize: PEOPLE_PER_ATTEMPT })) {
      yield { list, since: key.at(-2) as number, email: key.at(-1) as string };
    }
  }
}

interface Settlement {
  run: MigrationRow;
  entry: Position;
  /** ID of the list at the new provider. */
  list: string;
  consent: ConsentRow | undefined;
  result: MoveResult;
  fence: Fence;
}

/** Commits what became of one person. */
async function settle(options: Options, { run, entry, list, consent, result, fence }: Settlement) {
  const { kv, clock, random, provider } = options;
  const position = await sealPosition(options, entry);
  const read = {
    run: migrationKey,
    record: signupKey(entry.email, entry.list),
    added: signupKey(entry.email, list),
  };
  const erased = await cas(kv, read, ({ run: { value: latest }, record: { value: before }, added }) => {
    if (latest?.startedAt !== run.startedAt || latest.ended) return { value: !before };
    return {
      value: !before,
      write(tx) {
        tx.set(migrationKey, { ...counted(latest, result), position });
        if (!before || run.dryRun) return;
        const migration = { run: run.startedAt, to: run.to, list, ...outcomeOf(result) };
        const isAdded = result.kind !== "skipped";
        // Both lists can have the same ID, and then one record.
        const moved = isAdded && list === entry.list ? { provider: run.to } : {};
        putRecord(tx, before, { ...before, migration, ...moved });
        if (!isAdded || added.value) return;
        putRecord(tx, null, copyFor(before, { provider: run.to, list }, consent, clock.now()));
      },
    };
  }, { clock, random, fence });
  // Erased while the call was on its way, so the erasure did not find the person at the new provider.
  if (erased && result.kind === "moved" && !run.dryRun) await provider.erase(entry.email);
}

function outcomeOf(result: MoveResult): Pick<NonNullable<SignupRecord["migration"]>, "result" | "reason"> {
  return result.kind === "skipped" ? { result: "skipped", reason: result.reason } : { result: result.kind };
}

function counted(run: MigrationRow, result: MoveResult): MigrationRow {
  if (result.kind !== "skipped") {
    const values = addValues(run.values ?? { stored: 0, omitted: {} }, result.values);
    return { ...run, [result.kind]: run[result.kind] + 1, values };
  }
  return { ...run, skipped: { ...run.skipped, [result.reason]: (run.skipped[result.reason] ?? 0) + 1 } };
}

/** Returns the record of the person on the list at the new provider, with their latest proof of consent. */
function copyFor(
  record: SignupRecord,
  at: Required<Pick<SignupRecord, "provider" | "list">>,
  consent: ConsentRow | undefined,
  now: number,
): SignupRecord {
  const { migration: _migration, ...rest } = withoutConsent(record);
  return { ...rest, ...at, listStatus: "active", updatedAt: now, ...(consent && { consent }) };
}
