import type { Clock } from "../platform/deps.ts";

/** A process, as Linux describes it. */
export interface Process {
  parent: number;
  /** At most 15 bytes. */
  name: string;
}

const CHECK_EVERY_MS = 1_000;

/**
 * Waits until the npx that has started this process has ended. Returns "none" if no npx has, or on `stop`. On SIGTERM, npm ends the shell
 * between itself and Deno, and dash, the shell of Debian and Ubuntu, does not pass the signal on: without this,
 * `npx deno task start` would leave the server running. Other shells put the command in their place.
 *
 * @param env the environment variables, of which npx sets `npm_command`
 * @param pid this process
 * @param stop ends the wait
 */
export async function endOfNpx(
  { env, pid, clock, stop, read = readProcess }: {
    env: Record<string, string | undefined>;
    pid: number;
    clock: Clock;
    stop: AbortSignal;
    read?: (pid: number) => Process | undefined;
  },
): Promise<"ended" | "none"> {
  if (env["npm_command"] !== "exec") return "none";
  const chain: number[] = [];
  // A process manager that npx has started outlives it: then no npx is above this process.
  for (let each = pid;;) {
    chain.push(each);
    const found = read(each);
    if (!found) return "none";
    if (found.name.startsWith("npm exec")) break;
    each = found.parent;
  }
  while (!stop.aborted) {
    if (chain.slice(0, -1).some((each, index) => read(each)?.parent !== chain[index + 1])) return "ended";
    await clock.sleep(CHECK_EVERY_MS, stop);
  }
  return "none";
}

/** Returns a process; undefined if there is none, or the system does not show it. */
function readProcess(pid: number): Process | undefined {
  try {
    const [, name, parent] = /^\d+ \((.*)\) \S (\d+) /s.exec(Deno.readTextFileSync(`/proc/${pid}/stat`)) ??
      [];
    return name === undefined ? undefined : { name, parent: Number(parent) };
  } catch {
    return undefined;
  }
}
