/** What the database, files, calls to the provider and the listener itself need beside visitors' connections. */
const RESERVED = 100;

const LIMITS_FILE = "/proc/self/limits";

/**
 * Returns how many connections may be open so that file descriptors do not run out.
 *
 * @param wanted as many as there may be if descriptors are plenty
 * @param limit the process's limit of open files; undefined if unknown
 */
export function affordable(wanted: number, limit: number | undefined): number {
  if (limit === undefined) return wanted;
  return Math.min(wanted, Math.max(limit - RESERVED, Math.floor(limit / 2)));
}

/** Returns the process's limit of open files; undefined where the system does not say or permissions hide it. */
export async function descriptorLimit(): Promise<number | undefined> {
  const text = await Deno.readTextFile(LIMITS_FILE).catch(() => "");
  const soft = /^Max open files\s+(\d+)/m.exec(text)?.[1];
  return soft === undefined ? undefined : Number(soft);
}
