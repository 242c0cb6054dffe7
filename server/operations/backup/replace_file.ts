import { dirname } from "node:path";
import { unlessMissing } from "../../platform/kv/missing_file.ts";
import { type OpenedKv, openKv } from "../../platform/kv/open.ts";
import type { Kv } from "../../platform/kv/port.ts";
import { syncFolder } from "../../platform/kv/sync_folder.ts";
import { truncateLog, withSqlite } from "../../platform/kv/sqlite.ts";
import { DRAFT } from "./draft.ts";

/**
 * Replaces an embedded database by one that is built in a file beside it. The old database stays as it is until the new
 * one is complete, and is then replaced by a rename: a process that dies leaves the old database or the new one, and
 * possibly the file of an incomplete one, which the next call deletes.
 *
 * @param current the database to replace; afterward it is closed, and its file still locked
 * @param address its file, as in `CFBE_KV`
 * @param build writes the new database; if it throws, nothing is replaced
 */
export async function replaceFile<T>(
  current: OpenedKv,
  address: string,
  build: (kv: Kv) => Promise<T>,
): Promise<T> {
  const file = await Deno.realPath(address);
  const draft = file + DRAFT;
  await removeDraft(draft);
  try {
    let built: T;
    const opened = await openKv(draft);
    try {
      built = await build(opened.kv);
    } finally {
      opened.close();
    }
    await emptyLog(draft);
    await keepOwner(file, draft);
    current.closeDatabase();
    // SQLite would apply the log of the old database to the new one.
    await emptyLog(file);
    await Deno.rename(draft, file);
    await syncFolder(dirname(file));
    return built;
  } finally {
    await removeDraft(draft).catch(() => {});
  }
}

async function removeDraft(draft: string): Promise<void> {
  for (const path of [draft, `${draft}-wal`, `${draft}-shm`, `${draft}.lock`]) {
    await Deno.remove(path).catch(unlessMissing);
  }
}

/** Moves what is left in the write-ahead log of a closed database into its file. Closing it normally does. */
async function emptyLog(file: string): Promise<void> {
  const log = await Deno.stat(`${file}-wal`).catch(unlessMissing);
  if (!log || log.size === 0) return;
  const isEmptied = await withSqlite(file, truncateLog);
  if (!isEmptied) throw new Error(`the database ${file} is still in use`);
}

/** Gives the new file to the owner of the old one, who runs the service, if another user restores. */
async function keepOwner(file: string, draft: string): Promise<void> {
  const [old, made] = await Promise.all([Deno.stat(file), Deno.stat(draft)]);
  if (old.uid !== made.uid || old.gid !== made.gid) await Deno.chown(draft, old.uid, old.gid);
}
