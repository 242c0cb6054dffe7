import type { Clock, Log, Random } from "../../platform/deps.ts";
import { cas } from "../../platform/kv/cas.ts";
import { type Key, readRow, typed } from "../../platform/kv/key.ts";
import { keys } from "../../platform/kv/keys.ts";
import type { Kv } from "../../platform/kv/port.ts";
import { isFarAhead } from "../../platform/time/stored_time.ts";

/** When backups were made, in Unix milliseconds. */
export interface BackupHistory {
  /** When the latest complete ones were, oldest first. */
  completedAt: readonly number[];
  /** When the latest one began, and when the latest failure was. */
  startedAt?: number | undefined;
  failedAt?: number | undefined;
  /** Why it failed, if cfbe made it by itself. */
  failure?: string | undefined;
}

interface BackupLogRow extends BackupHistory {
  v: 1;
}

/** Enough to tell how often backups are made. */
const KEPT = 5;

const backupLogKey = (): Key<BackupLogRow> => typed(keys.backupLog());

/** Returns when backups were made. Leaves out times of a clock that was ahead, which would hide that later ones are missing. */
export async function readBackupLog(kv: Kv, now: number): Promise<BackupHistory> {
  const { completedAt = [], startedAt, failedAt, failure } = await readRow(kv, backupLogKey()) ?? {};
  const isPlausible = (at: number | undefined) => at !== undefined && !isFarAhead(at, now);
  return {
    completedAt: completedAt.filter(isPlausible),
    ...(isPlausible(startedAt) && { startedAt }),
    ...(isPlausible(failedAt) && { failedAt, failure }),
  };
}

/** Changes the log. @param change gets the time in Unix milliseconds */
export function noteBackup(
  deps: { kv: Kv; clock: Clock; random: Random; log: Log },
  change: (history: BackupHistory, now: number) => BackupHistory,
): Promise<void> {
  return cas(deps.kv, { row: backupLogKey() }, ({ row }) => ({
    value: undefined,
    write(tx) {
      const history = change(row.value ?? { completedAt: [] }, deps.clock.now());
      tx.set(row.key, { v: 1, ...history } satisfies BackupLogRow);
    },
    // A database that accepts no writes needs a backup most of all.
  }), deps).catch((error) => deps.log.error("backup.not_noted", { error }));
}

/** Notes that a backup is complete. */
export const completed = (history: BackupHistory, now: number): BackupHistory => ({
  ...history,
  completedAt: [...history.completedAt, now].slice(-KEPT),
});

/**
 * Returns the same backup, with its start and its end noted in the database. It is complete once the last byte has been
 * read. A backup whose process dies has a start without an end.
 */
export function noted(
  backup: ReadableStream<Uint8Array>,
  deps: { kv: Kv; clock: Clock; random: Random; log: Log },
): ReadableStream<Uint8Array> {
  const note = (change: Parameters<typeof noteBackup>[1]) => noteBackup(deps, change);
  const failed = () => note((history, now) => ({ ...history, failedAt: now, failure: undefined }));

  const reader = backup.getReader();
  const begun = note((history, now) => ({ ...history, startedAt: now }));
  return new ReadableStream({
    start: () => begun,
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        if (!done) return controller.enqueue(value);
      } catch (error) {
        await failed();
        throw error;
      }
      await note(completed);
      controller.close();
    },
    async cancel(reason) {
      await reader.cancel(reason);
      // A start that is noted after the failure would look like a backup that is under way.
      await begun;
      await failed();
    },
  });
}
