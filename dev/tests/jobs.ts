/** Runs commands side by side, and keeps what they print. */

export interface Job {
  /** Shown to whoever runs the tests, such as `server/platform/limits (12 files)`. */
  name: string;
  command: string;
  args: string[];
  env?: Record<string, string>;
  /** After so many milliseconds it gets SIGINT, on which Deno names the tests that have not ended, and later SIGKILL. */
  limitMs?: number;
  /** Of the jobs with the same lane, at most `atATime` run at once. */
  lane?: Lane;
}

interface Lane {
  name: string;
  atATime: number;
}

export interface JobResult {
  job: Job;
  code: number;
  output: string;
  ms: number;
}

/** How long a job that was interrupted has to say what has not ended. */
const GRACE_MS = 30_000;

/** The process groups of the jobs that run, by the IDs of their first processes. */
const running = new Set<number>();

/**
 * Runs jobs, at most `atATime` of them at once and as many of a lane as it allows, and passes each result on as soon as
 * it is known. Jobs start in their order, but for those whose lane is full. Whatever a job leaves behind is killed.
 */
export async function runJobs(
  jobs: readonly Job[],
  atATime: number,
  onResult: (result: JobResult) => void,
  graceMs = GRACE_MS,
): Promise<void> {
  const waiting = [...jobs];
  const begun = new Map<Job, Promise<Job>>();
  const isFree = ({ lane }: Job) =>
    !lane || [...begun.keys()].filter((job) => job.lane?.name === lane.name).length < lane.atATime;
  while (waiting.length || begun.size) {
    const next = begun.size < atATime ? waiting.findIndex(isFree) : -1;
    if (next < 0) begun.delete(await Promise.race(begun.values()));
    else {
      const [job] = waiting.splice(next, 1) as [Job];
      begun.set(
        job,
        runJob(job, graceMs).then((result) => {
          onResult(result);
          return job;
        }),
      );
    }
  }
}

/** Ends all jobs, which the terminal does not interrupt, because they are in groups of their own. */
export function endJobs(): void {
  for (const pid of running) signalGroup(pid, "SIGKILL");
}

async function runJob(job: Job, graceMs: number): Promise<JobResult> {
  const startedAt = performance.now();
  const { args, env = {}, limitMs } = job;
  const child = new Deno.Command(job.command, {
    ...{ args, env, detached: true },
    ...{ stdin: "null", stdout: "piped", stderr: "piped" },
  }).spawn();
  running.add(child.pid);
  const output = Promise.all([child.stdout, child.stderr].map((stream) => new Response(stream).text()));
  const timers = limitMs === undefined ? [] : [
    setTimeout(() => signalGroup(child.pid, "SIGINT"), limitMs),
    setTimeout(() => signalGroup(child.pid, "SIGKILL"), limitMs + graceMs),
  ];
  const { code } = await child.status;
  for (const timer of timers) clearTimeout(timer);
  // A program that it has left behind would keep its output open.
  signalGroup(child.pid, "SIGKILL");
  running.delete(child.pid);
  return { job, code, output: (await output).join(""), ms: performance.now() - startedAt };
}

function signalGroup(pid: number, signal: Deno.Signal): void {
  try {
    Deno.kill(-pid, signal);
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
}

/** Seconds of CPU time that the processes have used that this one started and that have ended. Linux only. */
export function childrenCpuSeconds(): number | undefined {
  try {
    // Fields 16 and 17 of proc(5), after the command's name in parentheses; in ticks of 1/100 s.
    const fields = Deno.readTextFileSync("/proc/self/stat").split(") ")[1]!.split(" ");
    return (Number(fields[13]) + Number(fields[14])) / 100;
  } catch {
    return undefined;
  }
}
