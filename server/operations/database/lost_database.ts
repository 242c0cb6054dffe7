import { dirname } from "node:path";
import { cfbeCommand } from "../../platform/config/cfbe_command.ts";
import { type Config, DEFAULT_KV } from "../../platform/config/config.ts";
import { saltsInFile } from "../../platform/keys/secrets_file.ts";
import { isMissing } from "../../platform/kv/missing_file.ts";
import { embeddedFile } from "../../platform/kv/open.ts";
import { StartError } from "../../platform/config/start_error.ts";
import { DRAFT } from "../backup/draft.ts";

/** The database file is missing although there was one, or its folder is. Nothing was created. */
class DatabaseMissing extends StartError {
  override readonly name = "DatabaseMissing";
}

/**
 * Checks that a configured database is not on a disk that is not mounted: only the default folder is created.
 *
 * @throws {DatabaseMissing} if the folder does not exist
 */
export async function requireFolder({ kv }: Config): Promise<void> {
  const file = embeddedFile(kv);
  if (file === undefined || file === DEFAULT_KV || !await isMissing(dirname(file))) return;
  throw new DatabaseMissing(
    `The folder of the database, ${
      dirname(file)
    }, does not exist. If it is on another disk, mount that disk. For a new ` +
      "database, create the folder, or correct CFBE_KV.",
  );
}

/** What the lock file of a database that was in use contains. */
const USED = "A database was in use here.\n";

/** Notes beside an embedded database that it is in use, so that its loss is noticed where a variable has the salt. */
export async function noteUse({ kv, salt }: Pick<Config, "kv" | "salt">): Promise<void> {
  const file = embeddedFile(kv);
  if (file === undefined || salt === undefined) return;
  const lock = `${await Deno.realPath(file)}.lock`;
  if (await wasUsed(lock)) return;
  // Whoever may not write it, or has no space left, is told elsewhere.
  await Deno.writeTextFile(lock, USED, { create: false }).catch(() => {});
}

const wasUsed = (lock: string) => Deno.readTextFile(lock).then((text) => text === USED, () => false);

/** Returns the file that a database in use has beside it, and that its loss leaves behind. */
async function traceOf(file: string): Promise<{ what: string; path: string } | undefined> {
  const salt = await saltsInFile(file);
  if (salt) return { what: "its salt", path: salt.path };
  const lock = `${await Deno.realPath(file).catch(() => file)}.lock`;
  return await wasUsed(lock) ? { what: "its lock", path: lock } : undefined;
}

/**
 * Checks that the database file was not lost: its salt or its lock, which the first start creates, must not be there alone.
 *
 * @throws {DatabaseMissing} if the file is missing or empty
 */
export async function requireDatabase(config: Config): Promise<void> {
  await requireFolder(config);
  const file = embeddedFile(config.kv);
  if (file === undefined || !await isMissing(file) && !await isEmptyFile(file)) return;
  const trace = await traceOf(file);
  if (!trace) return;
  const { what, path } = trace;
  throw new DatabaseMissing(
    `The database ${file} is missing or empty, but ${what} is there (${path}). If it is on another disk, mount that ` +
      `disk. If it was lost, restore a backup with \`${cfbeCommand()} restore <file>\`. To start without the lost data, ` +
      `move ${path} to another folder.`,
  );
}

/** Returns the path of the file that an interrupted restore has left beside the database, if there is one. */
export async function unfinishedRestore({ kv }: Pick<Config, "kv">): Promise<string | undefined> {
  const file = embeddedFile(kv);
  const draft = file && await Deno.realPath(file).catch(() => file) + DRAFT;
  return !draft || await isMissing(draft) ? undefined : draft;
}

function isEmptyFile(path: string): Promise<boolean> {
  return Deno.stat(path).then(({ isFile, size }) => isFile && size === 0, () => false);
}
