import { statfs as statfsCallback } from "node:fs";
import { access, constants } from "node:fs/promises";
import { dirname } from "node:path";
import { promisify } from "node:util";
import { withSqlite } from "./sqlite.ts";
import { causeOf, type DatabaseCause } from "./trouble.ts";

/** Looks at the file of an embedded database from outside, beside the connection that uses it. */

/** Deno 2.5, which Deno Deploy runs, has it with a callback only. */
const statfs = promisify(statfsCallback);

/** A page of SQLite and its log. With less than some of them, no commit can succeed. */
const LEAST_BYTES = 64 * 1024;

export interface DiskSpace {
  folder: string;
  /** Bytes that this process can still write, and bytes of the whole disk. */
  free: number;
  total: number;
}

/** The file of an embedded database that this process has open. */
export interface OwnFile {
  path: string;
  /** Tells it from another file that takes its path; undefined if the system gives files no numbers. */
  id: string | undefined;
}

export interface FileReport {
  /** Absent if the system or its permissions do not show it. */
  disk?: DiskSpace;
  trouble?: { cause: DatabaseCause; reason: string };
}

/** Returns the file that a process has just opened. */
export async function ownFile(path: string): Promise<OwnFile> {
  return { path, id: idOf(await Deno.stat(path)) };
}

/**
 * Returns why the path no longer leads to the file that this process has open; undefined if it does.
 *
 * Another file there must not be opened: SQLite would cut the index of the log beside it, which both share, and the system
 * would end this process with SIGBUS.
 */
async function lossOf({ path, id }: OwnFile): Promise<FileReport["trouble"]> {
  const stat = await Deno.stat(path).catch((error: unknown) => error);
  if (stat instanceof Deno.errors.NotFound) return { cause: "missing", reason: "there is no such file" };
  const now = idOf(stat as Deno.FileInfo);
  const isOther = id !== undefined && now !== undefined && now !== id;
  return isOther ? { cause: "replaced", reason: "another file has its path" } : undefined;
}

const idOf = ({ dev, ino }: Deno.FileInfo) => typeof ino === "number" ? `${dev}:${ino}` : undefined;

/** Returns what the file system says about the database file, and whether it can be opened. Never rejects. */
export async function inspectFile(file: OwnFile): Promise<FileReport> {
  const [loss, disk, unwritable] = await Promise.all([
    lossOf(file),
    diskSpace(dirname(file.path)),
    unwritableCause(file.path),
  ]);
  const trouble = loss ?? unwritable ??
    (disk && disk.free < LEAST_BYTES
      ? { cause: "full" as const, reason: `${disk.free} bytes are free` }
      : await openingTrouble(file.path));
  return { ...disk && { disk }, ...trouble && { trouble } };
}

async function diskSpace(folder: string): Promise<DiskSpace | undefined> {
  try {
    const { bsize, bavail, blocks } = await statfs(folder);
    return blocks === 0 ? undefined : { folder, free: bavail * bsize, total: blocks * bsize };
  } catch {
    return undefined;
  }
}

/** Returns why this process can't write the file, its log or its folder; undefined if it can, or can't look. */
export async function unwritableCause(file: string): Promise<FileReport["trouble"]> {
  // Without it, Deno's `access` ends the process with an error that can't be caught.
  if ((await Deno.permissions.query({ name: "sys", kind: "uid" })).state !== "granted") return undefined;
  const { R_OK, W_OK } = constants;
  const needed = [file, `${file}-wal`, `${file}-shm`].map((path) => [path, R_OK | W_OK] as const);
  for (const [path, mode] of [...needed, [dirname(file), W_OK] as const]) {
    const { code, message } = await access(path, mode).then(() => ({}), (error) => error) as Partial<
      { code: string; message: string }
    >;
    if (code === "EROFS") return { cause: "read_only", reason: "the file system is read-only" };
    if (code === "EACCES") return { cause: "denied", reason: message! };
  }
  return undefined;
}

/** Returns an error of SQLite, or one that says that the disk is full: SQLite calls that an I/O error, too. */
export async function orFullDisk(file: string, error: unknown): Promise<unknown> {
  if (causeOf(error) !== "io") return error;
  const disk = await diskSpace(dirname(file));
  return disk && disk.free < LEAST_BYTES ? new Error("the disk is full", { cause: error }) : error;
}

/**
 * Opens the file once more and reads its schema, which fails if its header, its size or the log beside it is damaged. Both
 * connections use the same SQLite library, which shares their locks: opening the file in any other way would end those of
 * the database when it is closed.
 */
async function openingTrouble(file: string): Promise<FileReport["trouble"]> {
  try {
    await withSqlite(file, (db) => db.prepare("SELECT version FROM data_version").all(), { readOnly: true });
    return undefined;
  } catch (error) {
    const { message } = error as Error;
    if (/locked|busy/.test(message)) return undefined;
    const cause = causeOf(error);
    return cause && cause !== "other" ? { cause, reason: message } : undefined;
  }
}

/**
 * Counts the rows of the database, expired ones included. A million take about 0.1 seconds, in which the process waits.
 *
 * @throws if another file has its path
 */
export async function countRows(file: OwnFile): Promise<number> {
  const loss = await lossOf(file);
  if (loss) throw new Error(`The rows of ${file.path} can't be counted: ${loss.reason}.`);
  return await withSqlite(file.path, (db) => {
    const { rows } = db.prepare("SELECT count(*) AS rows FROM kv").get() as { rows: number };
    return rows;
  }, { readOnly: true });
}

const MOST_PROBLEMS = 10;
/** How Deno KV marks a value in V8's format, and bytes, which contain JSON (see `withPortableValues`). */
const [V8, BYTES] = [1, 3];

/**
 * Reads the whole file of an embedded database: every page, every index and every value. Changes nothing. It blocks the
 * process, so it is for one that serves nobody.
 *
 * @returns what SQLite says is wrong, at most `MOST_PROBLEMS` lines. Empty if nothing is
 * @throws if the file can't be opened
 */
export async function checkWholeFile(file: string): Promise<string[]> {
  const [{ DatabaseSync }, { deserialize }] = await Promise.all([import("node:sqlite"), import("node:v8")]);
  const db = new DatabaseSync(file, { readOnly: true });
  const problems: string[] = [];
  let rows = 0;
  try {
    for (const { integrity_check } of db.prepare(`PRAGMA integrity_check(${MOST_PROBLEMS})`).all()) {
      if (integrity_check !== "ok") problems.push(String(integrity_check));
    }
    const text = new TextDecoder("utf-8", { fatal: true });
    let unreadable = 0;
    for (const row of db.prepare("SELECT v, v_encoding FROM kv").iterate()) {
      rows += 1;
      const value = row["v"] as Uint8Array;
      try {
        if (row["v_encoding"] === V8) deserialize(value);
        else if (row["v_encoding"] === BYTES) JSON.parse(text.decode(value));
      } catch {
        unreadable += 1;
      }
    }
    if (unreadable > 0) problems.push(`${unreadable} of ${rows} values can't be read`);
  } catch (error) {
    problems.push((error as Error).message);
  } finally {
    db.close();
  }
  return problems.slice(0, MOST_PROBLEMS);
}
