import { activationKey } from "../../platform/jobs/parking.ts";
import { type Key, readRow, typed } from "../../platform/kv/key.ts";
import { keys } from "../../platform/kv/keys.ts";
import type { Kv } from "../../platform/kv/port.ts";

/** Exists while a restore is incomplete. */
interface RestoringRow {
  v: 1;
  /** When the restore began, in Unix milliseconds. */
  at: number;
  /** Whether the database was empty before. Missing in rows of earlier versions. */
  wasEmpty?: boolean;
}

export const restoringKey = (): Key<RestoringRow> => typed(keys.restoring());

/** Returns whether a restore of this database was interrupted, so that rows are missing. */
export async function isHalfRestored(kv: Kv): Promise<boolean> {
  return await readRow(kv, restoringKey()) !== null;
}

/**
 * Returns whether a restore was interrupted that began with an empty database. No process uses such a database, because
 * none starts on it.
 */
export async function isHalfRestoredFromEmpty(kv: Kv): Promise<boolean> {
  const row = await readRow(kv, restoringKey());
  if (row === null) return false;
  // Earlier versions restored only a deactivated database that was not empty, and kept the row that says so.
  return row.wasEmpty ?? await readRow(kv, activationKey()) === null;
}

/** Notices that another process restores a backup into the database that they share. */
export interface RestoreWatch {
  /**
   * Calls `forget` if a backup was restored since the last call, and again at the next one if it failed.
   *
   * @param forget makes this process read again what it read from the database before the restore
   * @returns false while a restore is under way, when rows are missing
   */
  check(forget: () => Promise<void>): Promise<boolean>;
}

/** Creates the watch. Call it before anything is read that `forget` reads again. */
export async function watchRestores(kv: Kv): Promise<RestoreWatch> {
  let { versionstamp: seen } = await kv.get(keys.restored());
  return {
    async check(forget) {
      const [restoring, restored] = await kv.getMany([keys.restoring(), keys.restored()]);
      if (restoring!.value !== null) return false;
      if (restored!.versionstamp !== seen) {
        await forget();
        seen = restored!.versionstamp;
      }
      return true;
    },
  };
}
