import { basename, dirname, join } from "node:path";
import { steadyClock as clock, systemRandom } from "../deps.ts";
import { StartError } from "../config/start_error.ts";
import {
  countRows,
  type FileReport,
  inspectFile,
  orFullDisk,
  ownFile,
  unwritableCause,
} from "./database_file.ts";
import { withDeadline } from "./deadline.ts";
import { openPostgres } from "./engines/postgres.ts";
import { isPostgres, isRemote } from "./address.ts";
import { type GroupCommitOptions, withGroupCommit } from "./group_commit.ts";
import {
  DENO_DEPLOY_ENGINE,
  FILE_ENGINE,
  KV_CONNECT_ENGINE,
  MEMORY_ENGINE,
  openDenoKv,
} from "./engines/deno_kv.ts";
import { CACHED_ROWS } from "./keys.ts";
import { unlessMissing } from "./missing_file.ts";
import type { Kv } from "./port.ts";
import { keepFolderPrivate } from "./own_folder.ts";
import { withPortableValues } from "./portable_values.ts";
import { withSqlite } from "./sqlite.ts";
import { withGate } from "./with_gate.ts";
import { wrap } from "./wrap.ts";
import {
  DatabaseUnusable,
  unknownServer,
  unusableFile,
  unusablePostgres,
  unusableServer,
} from "./unusable.ts";

/** A database, and whether this process is the only one that can have it open. */
export interface OpenedKv {
  readonly kv: Kv;
  /** The same database with values as they are stored, and without its gate: only for a move. */
  readonly raw: Kv;
  readonly exclusive: boolean;
  /** Looks at the file of the database. Absent for other databases. */
  readonly inspect?: () => Promise<FileReport>;
  /** Closes the database and releases the file for another process. */
  close(): Promise<void>;
  /** Closes the database, but keeps its file locked until `close` is called, so that the file can be replaced. */
  closeDatabase(): Promise<void>;
}

/** Another process has the database file open. */
export class DatabaseInUse extends StartError {
  override readonly name = "DatabaseInUse";
  constructor(file: string) {
    super(
      `${file} is already open in another process. Only one process can use it at a time. Stop the other process, or ` +
        `set CFBE_KV to another file, or to a PostgreSQL or KV Connect server, which several processes can share.`,
    );
  }
}

const OWNER_ONLY = 0o600;
/**
 * How commits are grouped, and how long a call may take. Four milliseconds are a small part of the minimum response time
 * under load. A busy disk is slow for longer than a server that can be reached.
 */
const EMBEDDED = {
  atOnce: 1,
  gatherMs: 4,
  deadline: { ms: 30_000, clock },
} satisfies GroupCommitOptions;
const SERVER = { atOnce: 8, deadline: { ms: 10_000, clock } } satisfies GroupCommitOptions;

/**
 * Opens the database that `CFBE_KV` names (decision 2).
 *
 * | address | database |
 * |---|---|
 * | a file | embedded; creates its folder (mode 0700) and holds an OS lock on `<real path>.lock`, which the kernel releases when the process ends |
 * | `:memory:` | embedded; lost when it is closed |
 * | `http://…`, `https://…` | a KV Connect server; the token is in `DENO_KV_ACCESS_TOKEN` |
 * | `postgres://…` | a PostgreSQL server |
 * | undefined | the database that Deno Deploy assigned to the app |
 *
 * @throws {DatabaseInUse} if another process has the file open
 * @throws {DatabaseUnusable} if it can't be opened; the message says why and what to do
 */
export async function openKv(address: string | undefined): Promise<OpenedKv> {
  if (isPostgres(address)) {
    const { deadline } = SERVER;
    // Gives up before the deadline of the call, so that its error says why.
    const triesMs = deadline.ms - 1_000;
    const options = { clock, triesMs, id: systemRandom.uuid(), announced: CACHED_ROWS };
    const kv = await openPostgres(address, options).catch((error) => {
      throw unusablePostgres(address, error);
    });
    return { ...layered(kv, SERVER), exclusive: false };
  }
  if (address === undefined || isRemote(address)) {
    if (address !== undefined && !/^https?:/.test(address)) throw unknownServer(address);
    const opening = address === undefined
      ? openDenoKv(address, DENO_DEPLOY_ENGINE)
      : openDenoKv(address, KV_CONNECT_ENGINE, { clock, announced: CACHED_ROWS });
    const kv = await opening.catch((error) => {
      throw unusableServer(address, error);
    });
    if (address === undefined && await hasLocalDatabase()) {
      kv.close();
      throw unusableServer(
        address,
        new Error("no database is assigned to this app, and a local one is lost when the instance stops"),
      );
    }
    return { ...layered(kv, SERVER), exclusive: false };
  }
  if (address === ":memory:") {
    const kv = await openDenoKv(address, MEMORY_ENGINE);
    return { ...layered(kv, EMBEDDED), exclusive: true };
  }
  try {
    return await openFile(address);
  } catch (error) {
    throw error instanceof StartError ? error : unusableFile(address, await orFullDisk(address, error));
  }
}

/** @param lock of a file, held until it is closed */
function layered(engine: Kv, options: GroupCommitOptions, lock?: Deno.FsFile): Omit<OpenedKv, "exclusive"> {
  const raw = withDeadline(engine, options.deadline);
  const kv = withPortableValues(withGroupCommit(withGate(raw, systemRandom), options));
  return { kv, raw, ...closing(raw, lock) };
}

function closing(kv: Kv, lock?: Deno.FsFile): Pick<OpenedKv, "close" | "closeDatabase"> {
  let closed: Promise<void> | undefined;
  const closeDatabase = () => closed ??= kv.close();
  return {
    closeDatabase,
    async close() {
      const ending = closeDatabase();
      lock?.close();
      await ending;
    },
  };
}

/**
 * Returns whether this process has the runtime's default database open as a file. `Deno.openKv()` falls back to that
 * file, and each instance would then store, and lose, its own signups. Works on Linux, which Deno Deploy runs.
 */
async function hasLocalDatabase(): Promise<boolean> {
  try {
    for await (const { name } of Deno.readDir("/proc/self/fd")) {
      const target = await Deno.readLink(`/proc/self/fd/${name}`).catch(() => "");
      if (/\/location_data\/[^/]+\/kv\.sqlite3$/.test(target)) return true;
    }
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound || error instanceof Deno.errors.NotCapable)) throw error;
  }
  return false;
}

/** Returns the file of an embedded database, or undefined if `address` names another kind (see `openKv`). */
export function embeddedFile(address: string | undefined): string | undefined {
  return isRemote(address) || address === ":memory:" ? undefined : address;
}

async function openFile(address: string): Promise<OpenedKv> {
  await Deno.mkdir(dirname(address), { recursive: true, mode: 0o700 });
  const file = await realFile(address);
  const { exclusive, lock } = await lockFile(file);
  try {
    await keepPrivate(file);
    await keepFolderPrivate(file);
    await requireWritable(file);
    await readExpired(file);
    const engine = await openDenoKv(file, FILE_ENGINE);
    const own = await ownFile(file);
    const kv = wrap(engine, { count: () => countRows(own) });
    return { ...layered(kv, EMBEDDED, lock), exclusive, inspect: () => inspectFile(own) };
  } catch (error) {
    lock.close();
    throw error;
  }
}

/**
 * Returns the path under which every process locks this database: `address` with its symbolic links resolved.
 *
 * @throws {DatabaseUnusable} for a file with several hard links: locks by path cannot detect that these are one file, and
 * SQLite would write a log beside each (https://sqlite.org/howtocorrupt.html#_multiple_links_to_the_same_file)
 */
async function realFile(address: string): Promise<string> {
  const existing = await Deno.stat(address).catch(unlessMissing);
  if (!existing) {
    if (await Deno.lstat(address).catch(unlessMissing)) {
      throw new DatabaseUnusable(
        `The database ${address} can't be opened: it is a symbolic link to a file that does not exist. Correct the ` +
          "link, or set CFBE_KV to the file itself.",
      );
    }
    return join(await Deno.realPath(dirname(address)), basename(address));
  }
  if (existing.isDirectory) {
    throw new DatabaseUnusable(
      `The database ${address} can't be opened: it is a folder. Set CFBE_KV to a file in it, such as ` +
        `${join(address, "cfbe.kv")}.`,
    );
  }
  if ((existing.nlink ?? 1) > 1) {
    throw new DatabaseUnusable(
      `The database ${address} can't be opened: the file has ${existing.nlink} hard links, and SQLite can't be used ` +
        "through several of them. Remove the others, or replace this one with a copy of its own.",
    );
  }
  return await Deno.realPath(address);
}

/**
 * Makes the database, new or existing, accessible only to this user. SQLite gives the same mode to the write-ahead log
 * and the index next to the file.
 */
async function keepPrivate(file: string): Promise<void> {
  // Opened only if it is new: closing a file releases all locks that SQLite in this process has on it.
  await Deno.open(file, { write: true, createNew: true, mode: OWNER_ONLY }).then(
    (made) => made.close(),
    (error) => {
      if (!(error instanceof Deno.errors.AlreadyExists)) throw error;
    },
  );
  for (const path of [file, `${file}-wal`, `${file}-shm`]) {
    // Fails if another user owns the file or the system has no modes; `cfbe doctor` reports the remaining problems.
    await Deno.chmod(path, OWNER_ONLY).catch(() => {});
  }
}

/** @throws {Error} if this process can't write the database, which Deno opens nonetheless, or its log, where Deno ends with a panic */
async function requireWritable(file: string): Promise<void> {
  const trouble = await unwritableCause(file);
  if (trouble) throw new Error(trouble.reason);
}

/**
 * Reads the index that Deno reads first, in a thread of its own: if it is damaged, Deno 2.9 ends the process with a panic
 * that names no file. A file that Deno has not prepared yet is left to it.
 *
 * @throws {Error} of SQLite, if the file or that index is damaged
 */
async function readExpired(file: string): Promise<void> {
  if ((await Deno.stat(file)).size === 0) return;
  await withSqlite(file, (db) => {
    const isPrepared = db.prepare("SELECT 1 FROM sqlite_master WHERE name = 'kv_expiration_ms_idx'").get();
    if (isPrepared) db.prepare("SELECT count(*) FROM kv WHERE expiration_ms >= 0").get();
  });
}

/**
 * How long to wait for the lock. A child process inherits it until it runs its program, about 100 ms on a busy machine,
 * so it can outlive its owner by that time.
 */
const LOCK_TRIES = 20;
const LOCK_RETRY_MS = 50;

/** Locks a separate file, because SQLite has its own locks on the database file. */
async function lockFile(file: string): Promise<{ exclusive: boolean; lock: Deno.FsFile }> {
  const lock = await Deno.open(`${file}.lock`, { create: true, write: true, mode: OWNER_ONLY });
  // Without `tryLock` (older runtimes) exclusivity is unknown, and the leases of dead processes must expire.
  if (typeof lock.tryLock !== "function") return { exclusive: false, lock };
  for (let tries = 1; !(await lock.tryLock(true)); tries++) {
    if (tries > LOCK_TRIES) {
      lock.close();
      throw new DatabaseInUse(file);
    }
    await new Promise((resolve) => setTimeout(resolve, LOCK_RETRY_MS));
  }
  return { exclusive: true, lock };
}
