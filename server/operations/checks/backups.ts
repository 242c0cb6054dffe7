import { cfbeCommand } from "../../platform/config/cfbe_command.ts";
import type { BackupHistory } from "../backup/backup_log.ts";
import { LONGEST_BACKUP_MS } from "../backup/job_name.ts";
import { check } from "./check.ts";

const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;
/** Fewer backups show no rhythm. */
const ENOUGH_BACKUPS = 3;
/** Backups less often than this have no rhythm to be late for. */
const RAREST_MS = 40 * DAY_MS;

export const backupChecks = [
  check("backup.failed", "bad", {
    in: { alert: "backup", overview: true },
    reads: ["backups", "now"],
    find: ({ backups, now }) =>
      hasFailed(backups, now) && {
        what: `The last backup is incomplete${backups.failure === undefined ? "" : `: ${backups.failure}`}.`,
        todo: backups.failure === undefined
          ? `Run \`${cfbeCommand()} backup now.backup\` where backups are made, and read its error message. Often the disk is full.`
          : "Check the folder CFBE_BACKUP_DIR and the space on its disk. cfbe tries again every hour.",
        todoForOthers: "Ask an admin to make a backup again.",
      },
  }),
  check("backup.old", "warn", {
    in: { alert: "backup", overview: true },
    reads: ["backups", "now", "config"],
    find({ backups: { completedAt }, now, config }) {
      const usual = completedAt.length > 0 && config.backups?.everyMs || usualGap(completedAt);
      const age = now - (completedAt.at(-1) ?? 0);
      if (usual === undefined || age < Math.max(2 * DAY_MS, 2 * usual)) return undefined;
      return {
        what: `The last backup is ${Math.floor(age / DAY_MS)} days old.`,
        todo: config.backups
          ? "Check that cfbe runs and is active, and that its job cfbe_backup has not failed."
          : "Check that whatever makes your backups still runs, and see its output.",
      };
    },
  }),
  check("restore.interrupted", "warn", {
    in: { start: true },
    reads: ["unfinishedRestore"],
    find: ({ unfinishedRestore: draft }) =>
      draft !== undefined && {
        what: "A restore was interrupted before it changed the database.",
        todo: `Run it again, or delete ${draft}.`,
      },
  }),
];

/** A backup that was started long ago has ended, even if its process died before it could say so. */
function hasFailed({ completedAt, startedAt = 0, failedAt = 0 }: BackupHistory, now: number): boolean {
  const completed = completedAt.at(-1) ?? 0;
  return failedAt > completed || (startedAt > completed && now - startedAt > LONGEST_BACKUP_MS);
}

/** Returns the median time between backups, in milliseconds; undefined if they are not regular enough to tell. */
function usualGap(completedAt: readonly number[]): number | undefined {
  if (completedAt.length < ENOUGH_BACKUPS) return undefined;
  const gaps = completedAt.slice(1).map((at, index) => at - completedAt[index]!).sort((a, b) => a - b);
  const median = gaps[Math.floor(gaps.length / 2)]!;
  return median > RAREST_MS ? undefined : median;
}
