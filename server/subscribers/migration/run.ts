import { z } from "zod";
import type { Clock, Random } from "../../platform/deps.ts";
import { addJob } from "../../platform/jobs/add.ts";
import { jobKey, writeRow } from "../../platform/jobs/row.ts";
import type { Keyring } from "../../platform/keys/keyring.ts";
import { decrypt, encrypt } from "../../platform/keys/seal.ts";
import { cas } from "../../platform/kv/cas.ts";
import { readEntries } from "../../platform/kv/entries.ts";
import { type Key, typed } from "../../platform/kv/key.ts";
import { keys } from "../../platform/kv/keys.ts";
import { MIGRATION_JOB } from "../person/run_jobs.ts";
import type { MovedValues } from "./moved_values.ts";

/** The latest move of subscribers from one provider to another. There is one at a time. */
export interface MigrationRow {
  v: 1;
  /** Providers, as `general.provider` names them. */
  from: string;
  to: string;
  /** IDs of the lists at the new provider by those at the old one. */
  lists: Record<string, string>;
  /** Whether it only reads, and counts what it would do. */
  dryRun: boolean;
  /** Name of the user. */
  by: string;
  /** Unix milliseconds. Also identifies the run. */
  startedAt: number;
  /** Missing while it runs. */
  ended?: { at: number; how: "done" | "canceled" | "failed" };
  /** Number of active signups on these lists at the start. */
  total: number;
  /** Added to the new provider; in a dry run, those who would be added. */
  moved: number;
  /** Active at the new provider before. */
  active: number;
  /** How many were not moved, by reason. */
  skipped: Record<string, number>;
  /** What became of the values of fields of those who were moved or active. Missing in rows of earlier versions. */
  values?: MovedValues;
  /** The last signup that was handled, encrypted because it contains an address. Missing at the start and at the end. */
  position?: string;
  /** Whom the new provider may get now, encrypted. Missing if nobody. */
  importing?: string;
  /** How many attempts in a row have stopped at the signup after the position. */
  tries?: number;
}

export const migrationKey: Key<MigrationRow> = typed(keys.migration());

const Position = z.object({ list: z.string(), since: z.number(), email: z.string() });
export type Position = z.output<typeof Position>;

type Sealing = { keyring: Keyring; random: Random };

export function sealPosition({ keyring, random }: Sealing, position: Position): Promise<string> {
  return encrypt(keyring, random, "cfbe/migration", JSON.stringify(position));
}

const Importing = z.array(z.object({ email: z.string(), list: z.string(), createdAt: z.number() }));

export function sealImporting(
  { keyring, random }: Sealing,
  people: z.output<typeof Importing>,
): Promise<string> {
  return encrypt(keyring, random, "cfbe/migration", JSON.stringify(people));
}

/** Returns the decrypted people, or undefined if their salt is no longer listed. */
export async function openImporting(
  { keyring }: Pick<Sealing, "keyring">,
  sealed: string,
): Promise<z.output<typeof Importing> | undefined> {
  const text = await decrypt(keyring, "cfbe/migration", sealed);
  return text === undefined ? undefined : Importing.safeParse(JSON.parse(text)).data;
}

/** Returns the decrypted position, or undefined if its salt is no longer listed. */
export async function openPosition(
  { keyring }: Pick<Sealing, "keyring">,
  sealed: string,
): Promise<Position | undefined> {
  const text = await decrypt(keyring, "cfbe/migration", sealed);
  return text === undefined ? undefined : Position.safeParse(JSON.parse(text)).data;
}

/** Returns the latest move, or null if there was none. Without its job, it counts as canceled. */
export async function readMigration(kv: Deno.Kv): Promise<MigrationRow | null> {
  const { run, job } = await readEntries(kv, { run: migrationKey, job: jobKey(MIGRATION_JOB.id) });
  if (!run.value || run.value.ended || job.value) return run.value;
  // The job was canceled on the Jobs page.
  return endedMigration(run.value, "canceled", run.value.startedAt);
}

interface Deps {
  kv: Deno.Kv;
  clock: Clock;
  random: Random;
  wake: () => void;
}

/** Starts a move in a job. @returns false if another one is running */
export async function startMigration(
  deps: Deps,
  start: Pick<MigrationRow, "from" | "to" | "lists" | "dryRun" | "by" | "total">,
): Promise<boolean> {
  const started = await cas(
    deps.kv,
    { run: migrationKey, job: jobKey(MIGRATION_JOB.id) },
    ({ run: { value: last }, job }) => {
      // Without its job, which can be canceled on the Jobs page, a run has ended.
      if (last && !last.ended && job.value && job.value.state !== "dead") return { value: false };
      const now = deps.clock.now();
      // Different from the last start, because it identifies the run.
      const startedAt = Math.max(now, (last?.startedAt ?? 0) + 1);
      return {
        value: true,
        write(tx) {
          tx.set(migrationKey, { v: 1, ...start, startedAt, moved: 0, active: 0, skipped: {} });
          addJob(tx, job, { ...MIGRATION_JOB, payload: { startedAt }, due: now }, now);
        },
      };
    },
    deps,
  );
  if (started) deps.wake();
  return started;
}

/** Cancels the move that runs. Whoever was moved stays at both providers. @returns false if none runs */
export function cancelMigration(deps: Omit<Deps, "wake">): Promise<boolean> {
  return cas(deps.kv, { run: migrationKey, job: jobKey(MIGRATION_JOB.id) }, ({ run, job }) => {
    if (!run.value || run.value.ended) return { value: false };
    const canceled = endedMigration(run.value, "canceled", deps.clock.now());
    return {
      value: true,
      write(tx) {
        tx.set(migrationKey, canceled);
        if (job.value) writeRow(tx, job.value, null);
      },
    };
  }, deps);
}

/** Returns the run without its position, which contains an address. */
export function endedMigration(
  { position: _, tries: __, importing: ___, ...run }: MigrationRow,
  how: NonNullable<MigrationRow["ended"]>["how"],
  at: number,
): MigrationRow {
  return { ...run, ended: { at, how } };
}
