/**
 * File descriptors that connections must not use: for the database, files and calls to the provider, and for the
 * kernel's queue of 511 connections, which may all be accepted before the first one over the cap is closed.
 */
const RESERVED = 600;

const LIMITS_FILE = "/proc/self/limits";

/**
 * Returns how many connections may be open without running out of file descriptors.
 *
 * @param wanted the result if there are enough descriptors
 * @param limit the process's limit of open files; undefined if unknown
 */
export function maxConnections(wanted: number, limit: number | undefined): number {
  if (limit === undefined) return wanted;
  return Math.min(wanted, Math.max(limit - RESERVED, Math.floor(limit / 2)));
}

/** Returns the process's limit of open files, or undefined if the system or missing permissions hide it. */
export async function descriptorLimit(): Promise<number | undefined> {
  const text = await Deno.readTextFile(LIMITS_FILE).catch(() => "");
  const soft = /^Max open files\s+(\d+)/m.exec(text)?.[1];
  return soft === undefined ? undefined : Number(soft);
}
