/** Runs commands side by side, and keeps what they print. */

export interface Job {
  /** Shown to whoever runs the tests, such as `server/platform/limits (12 files)`. */
  name: string;
  command: string;
  args: string[];
  env?: Record<string, string>;
  /** After so many milliseconds it gets SIGINT, on which Deno names the tests that have not ended. */
  limitMs?: number;
}

export interface JobResult {
  job: Job;
  code: number;
  output: string;
  ms: number;
}

/** Runs jobs, at most `atATime` of them at once, and passes each result on as soon as it is known. */
export async function runJobs(
  jobs: readonly Job[],
  atATime: number,
  onResult: (result: JobResult) => void,
): Promise<void> {
  const waiting = [...jobs];
  async function worker() {
    for (let job = waiting.shift(); job; job = waiting.shift()) onResult(await runJob(job));
  }
  await Promise.all(Array.from({ length: atATime }, worker));
}

async function runJob(job: Job): Promise<JobResult> {
  const startedAt = performance.now();
  const { args, env = {} } = job;
  const child = new Deno.Command(job.command, { args, env, stdin: "null", stdout: "piped", stderr: "piped" });
  const running = child.spawn();
  const timer = job.limitMs === undefined ? undefined : setTimeout(() => running.kill("SIGINT"), job.limitMs);
  const { code, stdout, stderr } = await running.output();
  clearTimeout(timer);
  const output = [stdout, stderr].map((bytes) => new TextDecoder().decode(bytes)).join("");
  return { job, code, output, ms: performance.now() - startedAt };
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
