import { z } from "zod";
import type { Clock, Random } from "../../platform/deps.ts";
import { addJob } from "../../platform/jobs/add.ts";
import { jobKey } from "../../platform/jobs/row.ts";
import { sealedJson } from "../../platform/keys/seal.ts";
import { cas } from "../../platform/kv/cas.ts";
import { type Key, typed } from "../../platform/kv/key.ts";
import { keys } from "../../platform/kv/keys.ts";
import type { Kv } from "../../platform/kv/port.ts";
import { isRunning, latestRun, MIGRATION_JOB, type Run } from "../person/run_jobs.ts";
import type { MovedValues } from "./moved_values.ts";

/** The latest move of subscribers from one provider to another. There is one at a time. */
export interface MigrationRow extends Run {
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

export const sealedPosition = sealedJson("cfbe/migration", Position);

const Importing = z.array(z.object({ email: z.string(), list: z.string(), createdAt: z.number() }));

export const sealedImporting = sealedJson("cfbe/migration", Importing);

export const migrationRun = latestRun({
  key: migrationKey,
  job: MIGRATION_JOB,
  withoutAddresses: ({ position: _, tries: __, importing: ___, ...run }) => run,
});
export const { read: readMigration, cancel: cancelMigration } = migrationRun;

interface Deps {
  kv: Kv;
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
      if (isRunning(last, job.value)) return { value: false };
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
