/**
 * `deno task test`, `test:all` and `test:stress`: runs suites of tests, and prints what failed, the slowest files and
 * the CPU time.
 *
 *     deno run -A dev/tests/main.ts quick [--strict]
 *     deno run -A dev/tests/main.ts all [--rest] [--nightly] [--shard 2/4] [--suite SUITE] [--times FILE]
 *     deno run -A dev/tests/main.ts stress [--seed N] [--runs N] [--busy N] [--suite SUITE] [PATH…]
 *
 * `--rest` leaves out what `quick` runs, `--suite` runs a single suite of files. `stress` runs tests, or those of some
 * files and folders, with random delays (`stress.ts`): `--runs` times, the first time with `--seed` and then with the
 * seeds that follow it, beside `--busy` busy loops. The exit code is 1 if anything failed or a budget was exceeded, and 69
 * if this machine can't have the tools of the suite that was asked for.
 */
import { parseArgs } from "node:util";
import { fileURLToPath } from "node:url";
import { launchShared, SHARED_BROWSER } from "../../e2e/browser.ts";
import { exceeded, readUsed } from "./budgets.ts";
import { type FileSuite, shard, suiteOf, testFiles } from "./files.ts";
import { childrenCpuSeconds, endJobs, type Job, type JobResult, runJobs } from "./jobs.ts";
import { readReport, type TestResult } from "./junit.ts";
import { atATimeOf, CHECKS, fileJobs, FILES, LONGEST_TASK_MS, PHASES, taskJob, TASKS } from "./suites.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const SLOWEST = 10;
/** The exit code of a program that can't bring a suite's tools on this machine. */
const UNAVAILABLE = 69;
const QUICK: FileSuite[] = ["rooms", "journeys"];
/** Without the suites that measure time, and those that take many minutes even without delays. */
const STRESSED: FileSuite[] = ["rooms", "journeys", "engines", "browser"];

const { values: options, positionals: [command = "quick", ...paths] } = parseArgs({
  allowPositionals: true,
  options: {
    rest: { type: "boolean", default: false },
    nightly: { type: "boolean", default: false },
    strict: { type: "boolean", default: false },
    shard: { type: "string", default: "1/1" },
    suite: { type: "string" },
    times: { type: "string" },
    seed: { type: "string", default: `${1 + Math.floor(Math.random() * 1_000_000)}` },
    runs: { type: "string", default: "1" },
    busy: { type: "string", default: "0" },
  },
});
const [, index, of] = /^(\d+)\/(\d+)$/.exec(options.shard) ?? [];
const part = { index: Number(index), of: Number(of) };
const isStress = command === "stress";
const isKnown = isStress || (["quick", "all"].includes(command) && !paths.length);
const isPositive = (text: string) => /^[1-9]\d*$/.test(text);
const areNumbers = isPositive(options.seed) && isPositive(options.runs) && /^\d+$/.test(options.busy);
const isSuite = options.suite === undefined || Object.hasOwn(FILES, options.suite);
if (!isKnown || !isSuite || !(part.index >= 1 && part.index <= part.of) || !areNumbers) {
  console.error(
    "Usage: main.ts quick | all [--rest] [--nightly] [--shard 2/4] [--suite SUITE] [--times FILE]\n" +
      "       main.ts stress [--seed N] [--runs N] [--busy N] [--suite SUITE] [PATH…]\n" +
      `The suites: ${Object.keys(FILES).join(", ")}`,
  );
  Deno.exit(2);
}

Deno.chdir(ROOT);
const folder = Deno.makeTempDirSync({ prefix: "cfbe-tests-" });
const recorded = `${folder}/used`;
const failures: string[] = [];
const busyOption = options.busy === "0" ? "" : ` --busy ${options.busy}`;
const startedAt = performance.now();
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  Deno.addSignalListener(signal, () => {
    endJobs();
    Deno.exit(130);
  });
}

function onResult({ job, code, output, ms }: JobResult): void {
  if (code === 0) return console.log(`ok     ${job.name} (${seconds(ms)})`);
  // Above 128, a signal has ended it: 135 is SIGBUS, 137 SIGKILL.
  console.log(`FAILED ${job.name} (${seconds(ms)}, exit code ${code})`);
  failures.push(job.name);
  const errors = output.search(/^.{0,20} ERRORS .{0,20}$/m);
  console.log(errors < 0 ? output : output.slice(errors));
  const { CFBE_TEST_STRESS: seed, CFBE_TEST_FILES: files } = job.env ?? {};
  if (seed) console.log(`To repeat: deno task test:stress --seed ${seed}${busyOption} ${files}\n`);
}

const seconds = (ms: number) => `${(ms / 1_000).toFixed(1)} s`;
const minutes = (ms: number) => `${Math.floor(ms / 60_000)} min ${Math.round(ms % 60_000 / 1_000)} s`;

/**
 * Runs the files of suites beside each other, and prints how long it took.
 *
 * @param jobs that run beside them
 * @param seed of random delays
 */
async function runFiles(suites: readonly FileSuite[], jobs: readonly Job[], seed?: number): Promise<void> {
  const brought = [];
  for (const suite of suites) {
    const files = all.filter((path) => suiteOf(path) === suite);
    if (files.length && await bring(suite, FILES[suite].bring)) brought.push({ suite, files });
  }
  if (!brought.length) return;
  const [began, cpu] = [performance.now(), childrenCpuSeconds()];
  const server = brought.some(({ suite }) => FILES[suite].browser) ? await launchShared() : undefined;
  const ofFiles = brought.flatMap(({ suite, files }) => {
    const quick = QUICK.includes(suite) && !isStress;
    const env = {
      ...(server && FILES[suite].browser && { [SHARED_BROWSER]: server.wsEndpoint() }),
      ...(quick && { CFBE_TEST_RECORD: recorded }),
      ...(seed && { CFBE_TEST_STRESS: `${seed}` }),
    };
    const preload = [...(quick ? ["./dev/tests/record.ts"] : []), ...(seed ? ["./dev/tests/stress.ts"] : [])];
    return fileJobs(suite, files, { folder, env, preload, isStressed: isStress });
  });
  const atATime = Math.max(...brought.map(({ suite }) => atATimeOf(suite, isStress)));
  await runJobs([...jobs, ...ofFiles], atATime, onResult);
  await server?.close();
  const used = cpu === undefined ? "" : `, ${seconds((childrenCpuSeconds()! - cpu) * 1_000)} of CPU time`;
  console.log(
    `${brought.map(({ suite }) => suite).join(", ")}: ${minutes(performance.now() - began)}${used}\n`,
  );
}

/** Returns whether the command names this file or a folder that contains it, or nothing. */
function isNamed(file: string): boolean {
  const folders = paths.map((path) => path.replace(/^\.\/|\/+$/g, ""));
  return !folders.length || folders.some((path) => file === path || file.startsWith(`${path}/`));
}

/** Runs suites with random delays, each time with another seed, beside busy loops. */
async function runStressed(phases: readonly FileSuite[][]): Promise<void> {
  if (!named.length) failures.push(`There is no test file at ${paths.join(" ")}.`);
  const busy = Array.from(
    { length: Number(options.busy) },
    () => new Worker(new URL("busy.ts", import.meta.url), { type: "module" }),
  );
  for (let run = 0; run < Number(options.runs); run++) {
    const seed = Number(options.seed) + run;
    console.log(`Seed ${seed}`);
    for (const phase of phases) await runFiles(phase, [], seed);
  }
  for (const worker of busy) worker.terminate();
}

/** Brings the tools of a suite. Returns false if this machine can't have them. */
async function bring(suite: string, program: string | undefined): Promise<boolean> {
  if (!program) return true;
  const signal = AbortSignal.timeout(LONGEST_TASK_MS.usual);
  const { code } = await new Deno.Command(Deno.execPath(), { args: ["run", "-A", program], signal }).spawn()
    .status;
  if (code === UNAVAILABLE) {
    if (suite === options.suite) Deno.exitCode = UNAVAILABLE;
    console.log(`SKIPPED ${suite}: its tools can't be installed on this machine (see the line above).`);
  }
  return code !== UNAVAILABLE;
}

const isQuick = command === "quick";
const isWanted = (suite: FileSuite) => {
  if (options.suite) return suite === options.suite;
  if (isStress) return STRESSED.includes(suite);
  return QUICK.includes(suite) ? isQuick || !options.rest : !isQuick;
};
const isBrought = (suite: FileSuite) => FILES[suite].bring !== undefined;
const named = testFiles(ROOT).filter(isNamed);
const phases = PHASES.map((phase) => phase.filter(isWanted));
// What brings tools does so in one shard only.
const whole = shard(phases.flat().filter(isBrought), part);
const split = shard(named.filter((path) => !isBrought(suiteOf(path))), part);
const all = [...named.filter((path) => whole.includes(suiteOf(path))), ...split];
if (isStress) await runStressed(phases);
else {
  for (const phase of phases) await runFiles(phase, options.suite ? [] : tasksBeside(phase));
  const nightly = options.nightly && !options.suite ? TASKS.filter((task) => task.nightly) : [];
  await runJobs(shard(nightly, part).map(({ task }) => taskJob(task, true)), 1, onResult);
}

/** The type check takes a core for half a minute, so it runs beside the tests of the rooms. */
function tasksBeside(phase: readonly FileSuite[]): Job[] {
  if (part.index > 1) return [];
  if (phase.includes("rooms")) return CHECKS.map((task) => taskJob(task));
  return phase.includes("browser")
    ? TASKS.filter((task) => !task.nightly).map(({ task }) => taskJob(task))
    : [];
}

const tests = [...Deno.readDirSync(folder)].filter(({ name }) => name.endsWith(".xml")).flatMap(({ name }) =>
  readReport(Deno.readTextFileSync(`${folder}/${name}`))
);
failures.push(...exceededBudgets(tests));
const times = timesOf(tests);
if (options.times) Deno.writeTextFileSync(options.times, JSON.stringify(Object.fromEntries(times), null, 2));
Deno.removeSync(folder, { recursive: true });

console.log(`The ${SLOWEST} slowest files:`);
for (const [file, ms] of times.slice(0, SLOWEST)) console.log(`  ${seconds(ms).padStart(8)}  ${file}`);
const cpu = childrenCpuSeconds();
console.log(
  `${minutes(performance.now() - startedAt)}${
    cpu === undefined ? "" : `, ${(cpu / 60).toFixed(1)} CPU minutes`
  }`,
);
if (failures.length) console.log(`\nFailed:\n${failures.map((name) => `  ${name}`).join("\n")}`);
const failed = tests.filter((test) => test.failed).length;
const ignored = tests.filter((test) => test.ignored).length;
console.log(`\n${tests.length - failed - ignored} passed, ${failed} failed, ${ignored} skipped`);
Deno.exit(failures.length ? 1 : Deno.exitCode);

function exceededBudgets(tests: readonly TestResult[]): string[] {
  if (!isQuick) return [];
  const used = readUsed(read(recorded));
  console.log(`Used: ${used.pages} pages of a browser, ${used.programs} programs.`);
  return exceeded(used, tests, { judgeTimes: options.strict });
}

function read(path: string): string {
  try {
    return Deno.readTextFileSync(path);
  } catch {
    return "";
  }
}

/** Returns the milliseconds of each file's tests, the slowest first. */
function timesOf(tests: readonly TestResult[]): [file: string, ms: number][] {
  const sums = new Map<string, number>();
  for (const { file, ms } of tests) sums.set(file, (sums.get(file) ?? 0) + ms);
  return [...sums].toSorted(([, a], [, b]) => b - a);
}
