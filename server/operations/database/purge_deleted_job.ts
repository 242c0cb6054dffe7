import type { Kv } from "../../platform/kv/port.ts";
import { docPage } from "../../platform/words/doc_page.ts";
import { z } from "zod";
import type { Clock, Log } from "../../platform/deps.ts";
import type { JobDefinition } from "../../platform/jobs/handler.ts";
import { truncateLog, withSqlite } from "../../platform/kv/sqlite.ts";
import { keys } from "../../platform/kv/keys.ts";
import type { DatabaseHealth } from "../../platform/observe/database_health.ts";
import type { PurgeDueRow } from "../../platform/kv/purge_due.ts";

export const PURGE_DELETED_JOB = { id: "purge_deleted", name: "cfbe_purge_deleted", payload: null } as const;
/** Once a day, at midnight UTC. */
export const PURGE_DELETED_EVERY_MS = 24 * 60 * 60 * 1000;

/** Rewriting blocks the process for about 5 ms per MiB. */
const MAX_BYTES = 1024 * 1024 * 1024;
const RETRY_WHEN_BUSY_MS = 60_000;
const RETRY_WHEN_REPLACED_MS = 60 * 60_000;
/** How long to wait for reads and writes of other threads. */
const BUSY_MS = 2_000;

/**
 * Removes the bytes of deleted rows from the database file. SQLite only marks deleted rows as free, so their bytes stay
 * in the file and in the write-ahead log. `secure_delete` would have to be set on the connection that deletes, which
 * Deno KV does not expose, so a second connection rewrites the file. Both connections use the same SQLite library and
 * therefore share its locks.
 *
 * Another database that has taken the file's path is left alone: rewriting it would also end this process with SIGBUS.
 *
 * @param file returns the path of the embedded database in use, which a move changes; undefined for a remote one, whose
 * server decides about deleted rows
 */
export function purgeDeleted(
  { kv, clock, log, databaseHealth, file: fileInUse }: {
    kv: Kv;
    clock: Clock;
    log: Log;
    databaseHealth: Pick<DatabaseHealth, "probeNow" | "failure">;
    file: () => string | undefined;
  },
): JobDefinition<null> {
  return {
    name: PURGE_DELETED_JOB.name,
    payload: z.null(),
    runsWhileDeactivated: true,
    async handle() {
      const due = await kv.get<PurgeDueRow>(keys.purgeDue());
      if (!due.value) return { kind: "done" };
      const file = fileInUse();
      if (file !== undefined) {
        await databaseHealth.probeNow();
        const { cause, reason } = databaseHealth.failure() ?? {};
        if (cause === "replaced" || cause === "missing") {
          return { kind: "snooze", until: clock.now() + RETRY_WHEN_REPLACED_MS, reason: reason! };
        }
        const { size } = await Deno.stat(file);
        if (size > MAX_BYTES) {
          log.warn("purge.too_large", {
            message: `The database is too large to rewrite, so deleted rows stay in its file. See ${
              docPage("privacy")
            }.`,
            size,
          });
          return { kind: "done" };
        }
        if (!await rewrite(file)) {
          return { kind: "snooze", until: clock.now() + RETRY_WHEN_BUSY_MS, reason: "The database is busy." };
        }
        log.info("purge.done", { size });
      }
      // The check fails if more rows were deleted meanwhile: the next run then purges them.
      await kv.atomic().check(due).delete(keys.purgeDue()).commit();
      return { kind: "done" };
    },
  };
}

/** Rewrites the file without free space and empties the write-ahead log. @returns false when the database is busy */
async function rewrite(file: string): Promise<boolean> {
  try {
    return await withSqlite(file, (db) => {
      db.exec(`PRAGMA busy_timeout = ${BUSY_MS}`);
      // On the main thread on purpose: requests wait for it. In a worker, their commits would fail meanwhile.
      db.exec("VACUUM");
      return truncateLog(db);
    });
  } catch (error) {
    if (error instanceof Error && /locked|busy/.test(error.message)) return false;
    throw error;
  }
}
