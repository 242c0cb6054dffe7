import { dirname } from "node:path";

/** A database, and whether this process is the only one that can have it open. */
export interface OpenedKv {
  readonly kv: Deno.Kv;
  readonly exclusive: boolean;
  /** Closes the database and gives the file free for another process. */
  close(): void;
}

/** Another process owns the file of the embedded database. */
export class DatabaseInUse extends Error {
  override readonly name = "DatabaseInUse";
  constructor(file: string) {
    super(
      `${file} is in use by another process, and one process alone may open it. Stop the other one, or set ` +
        `CFBE_KV to another file or to the address of a KV Connect server, which several may share.`,
    );
  }
}

/**
 * Opens the database that `CFBE_KV` names (decisions §1).
 *
 * | address | database |
 * |---|---|
 * | a file | embedded; makes its folder (mode 0700) and holds an OS lock on `<file>.lock`, which the kernel lifts when the process dies, however it dies |
 * | `:memory:` | embedded, gone at the end |
 * | `http://…`, `https://…` | a KV Connect server; the token is in `DENO_KV_ACCESS_TOKEN` |
 * | undefined | that of Deno Deploy |
 *
 * @throws {DatabaseInUse} when another process has the file.
 */
export async function openKv(address: string | undefined): Promise<OpenedKv> {
  if (address === undefined || /^https?:\/\//.test(address)) {
    const kv = await Deno.openKv(address);
    return { kv, exclusive: false, close: () => kv.close() };
  }
  if (address === ":memory:") {
    const kv = await Deno.openKv(address);
    return { kv, exclusive: true, close: () => kv.close() };
  }
  await Deno.mkdir(dirname(address), { recursive: true, mode: 0o700 });
  const { exclusive, lock } = await lockFile(address);
  try {
    const kv = await Deno.openKv(address);
    const close = () => {
      kv.close();
      lock.close();
    };
    return { kv, exclusive, close };
  } catch (error) {
    lock.close();
    throw error;
  }
}

/** The lock is apart from the database, since SQLite locks the file itself in its own way. */
async function lockFile(file: string): Promise<{ exclusive: boolean; lock: Deno.FsFile }> {
  const lock = await Deno.open(`${file}.lock`, { create: true, write: true, mode: 0o600 });
  // Older runtimes have no `tryLock`: nothing is proved then, and leases run out by themselves.
  if (typeof lock.tryLock !== "function") return { exclusive: false, lock };
  if (await lock.tryLock(true)) return { exclusive: true, lock };
  lock.close();
  throw new DatabaseInUse(file);
}
