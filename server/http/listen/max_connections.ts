/**
 * What the database, files and calls to the provider need beside visitors' connections, and the kernel's queue of 511
 * connections: all of them may be accepted before the first one over the cap is closed.
 */
const RESERVED = 600;

const LIMITS_FILE = "/proc/self/limits";

/**
 * Returns how many connections may be open so that file descriptors do not run out.
 *
 * @param wanted as many as there may be if descriptors are plenty
 * @param limit the process's limit of open files; undefined if unknown
 */
export function maxConnections(wanted: number, limit: number | undefined): number {
  if (limit === undefined) return wanted;
  return Math.min(wanted, Math.max(limit - RESERVED, Math.floor(limit / 2)));
}

/** Returns the process's limit of open files; undefined where the system does not say or permissions hide it. */
export async function descriptorLimit(): Promise<number | undefined> {
  const text = await Deno.readTextFile(LIMITS_FILE).catch(() => "");
  const soft = /^Max open files\s+(\d+)/m.exec(text)?.[1];
  return soft === undefined ? undefined : Number(soft);
}
