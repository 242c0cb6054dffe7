import type { DatabaseSync } from "node:sqlite";

/**
 * Works on the file of an embedded database with SQLite itself, which is loaded only then. It is the library that Deno KV
 * uses, so both share their locks.
 */
export async function withSqlite<T>(
  file: string,
  work: (db: DatabaseSync) => T,
  options: { readOnly?: boolean } = {},
): Promise<T> {
  const { DatabaseSync } = await import("node:sqlite");
  const db = new DatabaseSync(file, options);
  try {
    return work(db);
  } finally {
    db.close();
  }
}

/** Moves the write-ahead log into the file. @returns false when the database is busy */
export function truncateLog(db: DatabaseSync): boolean {
  const { busy } = db.prepare("PRAGMA wal_checkpoint(TRUNCATE)").get() as { busy: number };
  return busy === 0;
}
