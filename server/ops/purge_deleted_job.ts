import { z } from "zod";
import type { Clock, Log } from "../deps.ts";
import type { JobDefinition } from "../jobs/handler.ts";
import { keys } from "../kv/keys.ts";
import type { PurgeDueRow } from "../kv/purge_due.ts";

export const PURGE_DELETED_JOB = { id: "purge_deleted", name: "cfbe_purge_deleted", payload: null } as const;
/** Once a day, at midnight UTC. */
export const PURGE_DELETED_EVERY_MS = 24 * 60 * 60 * 1000;

/** Rewriting stops the process for about 5 ms a MiB. */
const LARGEST_BYTES = 1024 * 1024 * 1024;
const BUSY_AGAIN_MS = 60_000;
/** How long to wait for what other threads read or write at this moment. */
const BUSY_MS = 2_000;

/**
 * Removes what was deleted from the database file. SQLite only marks deleted rows as free: their bytes stay in the file
 * and in the write-ahead log. `secure_delete` would have to be set on the connection that deletes, which Deno KV keeps
 * to itself, so a second connection rewrites the file. Both use the one SQLite of this program, so they share its locks.
 *
 * @param file of the embedded database; undefined for any other, whose server decides what happens to deleted rows
 */
export function purgeDeleted(
  { kv, clock, log, file }: { kv: Deno.Kv; clock: Clock; log: Log; file: string | undefined },
): JobDefinition<null> {
  return {
    name: PURGE_DELETED_JOB.name,
    payload: z.null(),
    async handle() {
      const due = await kv.get<PurgeDueRow>(keys.purgeDue());
      if (!due.value) return { kind: "done" };
      if (file !== undefined) {
        const { size } = await Deno.stat(file);
        if (size > LARGEST_BYTES) {
          log.warn("purge.too_large", {
            message: "Deleted rows stay in the file: see docs/privacy.md.",
            size,
          });
          return { kind: "done" };
        }
        if (!await rewrite(file)) {
          return { kind: "snooze", until: clock.now() + BUSY_AGAIN_MS, reason: "The database is busy." };
        }
        log.info("purge.done", { size });
      }
      // What was deleted meanwhile has written the row anew, and waits for the next run.
      await kv.atomic().check(due).delete(keys.purgeDue()).commit();
      return { kind: "done" };
    },
  };
}

/** Rewrites the file without free space, and empties the write-ahead log. @returns false when others use it now */
async function rewrite(file: string): Promise<boolean> {
  const { DatabaseSync } = await import("node:sqlite");
  const db = new DatabaseSync(file);
  try {
    db.exec(`PRAGMA busy_timeout = ${BUSY_MS}`);
    // On the main thread on purpose: requests wait for it, where beside it their commits would fail.
    db.exec("VACUUM");
    const result = db.prepare("PRAGMA wal_checkpoint(TRUNCATE)").get() as { busy: number };
    return result.busy === 0;
  } catch (error) {
    if (error instanceof Error && /locked|busy/.test(error.message)) return false;
    throw error;
  } finally {
    db.close();
  }
}
