import { POLL_INTERVAL_MS } from "../../shared/limits.ts";
import { CHECK_ALERTS_EVERY_MS, CHECK_ALERTS_JOB } from "../operations/alerts/check_job.ts";
import { BACKUP_JOB } from "../operations/backup/job_name.ts";
import type { WatchedJob } from "../operations/checks/values.ts";
import type { Config } from "../platform/config/config.ts";
import type { Kv } from "../platform/kv/port.ts";
import { ERASE_CARTS_EVERY_MS, ERASE_CARTS_JOB } from "../shops/carts/erase_carts_job.ts";
import {
  DELETE_UNCONFIRMED_EVERY_MS,
  DELETE_UNCONFIRMED_JOB,
} from "../signup/confirm/delete_unconfirmed_job.ts";
import { POLL_JOB } from "../signup/confirm/poll_job.ts";
import type { Clock, Random } from "../platform/deps.ts";
import { SWEEP_IMAGES_EVERY_MS, SWEEP_IMAGES_JOB } from "../forms/images/sweep_job.ts";
import type { NewJob } from "../platform/jobs/add.ts";
import type { WhileDeactivated } from "../platform/jobs/parking.ts";
import { startSlot } from "../platform/jobs/recurring.ts";
import type { Keyring } from "../platform/keys/keyring.ts";
import { startReseal } from "../operations/keys/reseal_orders_job.ts";
import { startMigration } from "../operations/database/migrate_rows_job.ts";
import { PURGE_DELETED_EVERY_MS, PURGE_DELETED_JOB } from "../operations/database/purge_deleted_job.ts";
import { BLANK_IPS_EVERY_MS, BLANK_IPS_JOB } from "../signup/record/blank_ips_job.ts";
import { startIndexing } from "../signup/record/index_signups_job.ts";

interface RecurringJob {
  /** Stored: it names the row that says when the job last started. */
  name: string;
  everyMs: number;
  job: Omit<NewJob, "due">;
  /** What is not done while the job keeps failing (`WatchedJob`); undefined if something else reports that. */
  undone: string | undefined;
}

/** The recurring jobs. */
export const RECURRING: readonly RecurringJob[] = [
  // Failed calls to the provider are reported by `provider.trouble`.
  { name: "poll", everyMs: POLL_INTERVAL_MS, job: POLL_JOB, undone: undefined },
  {
    name: "blank_ips",
    everyMs: BLANK_IPS_EVERY_MS,
    job: BLANK_IPS_JOB,
    undone: "old IP addresses are not deleted",
  },
  {
    name: "purge_deleted",
    everyMs: PURGE_DELETED_EVERY_MS,
    job: PURGE_DELETED_JOB,
    undone: "deleted personal data can still be read in the database file",
  },
  {
    name: "delete_unconfirmed",
    everyMs: DELETE_UNCONFIRMED_EVERY_MS,
    job: DELETE_UNCONFIRMED_JOB,
    undone: "old unconfirmed signups are not deleted",
  },
  {
    name: CHECK_ALERTS_JOB.id,
    everyMs: CHECK_ALERTS_EVERY_MS,
    job: CHECK_ALERTS_JOB,
    undone: "no alert is opened or resolved",
  },
  {
    name: "erase_carts",
    everyMs: ERASE_CARTS_EVERY_MS,
    job: ERASE_CARTS_JOB,
    undone: "old carts are not deleted",
  },
  {
    name: "sweep_images",
    everyMs: SWEEP_IMAGES_EVERY_MS,
    job: SWEEP_IMAGES_JOB,
    undone: "unused images are not deleted",
  },
];

/** The recurring jobs that the check `jobs.failing` reports. */
export const WATCHED_JOBS: readonly WatchedJob[] = [
  ...RECURRING.flatMap(({ job: { id }, undone }) => undone === undefined ? [] : [{ id, undone }]),
  { id: BACKUP_JOB.id, undone: "no backup is made" },
];

/**
 * Starts each recurring job whose time has come since the last call, and, if they are needed, the migration of rows,
 * the encryption with a new salt, and the indexing of queued signups.
 *
 * @param only while the service is deactivated, the names of the jobs that run nevertheless; all by default
 */
export async function startRecurringJobs(
  deps: { kv: Kv; clock: Clock; random: Random; keyring: Keyring; config: Pick<Config, "backups"> },
  only?: WhileDeactivated,
): Promise<void> {
  const now = deps.clock.now();
  const backups = deps.config.backups &&
    [{ name: BACKUP_JOB.id, everyMs: deps.config.backups.everyMs, job: BACKUP_JOB }];
  for (const { name, everyMs, job } of [...RECURRING, ...backups ?? []]) {
    if (!only || only.has(job.name)) await startSlot(deps, { name, everyMs, now }, job);
  }
  await startMigration(deps);
  await startReseal(deps);
  await startIndexing(deps);
}
