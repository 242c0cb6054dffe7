/** The suites of tests: what each runs, and which command includes it. */
import { type FileSuite, groupsOf } from "./files.ts";
import type { Job } from "./jobs.ts";

const DENO = Deno.execPath();
const MINUTE_MS = 60 * 1000;

/** How the files of a suite run. */
interface Files {
  /** Files in one process; more load fewer modules, fewer end at about the same time. */
  group: number;
  atATime: number;
  /** With random delays, if they leave cores idle. */
  atATimeDelayed?: number;
  /** No process takes nearly so long, even on a busy machine: one that does hangs. */
  longestMs: number;
  /** Whether the processes share a browser. */
  browser?: boolean;
  bring?: Bring;
}

/**
 * The program that brings the tools of a suite. Exit code 69 means that this machine can't have them, and the suite is
 * skipped.
 */
type Bring = string;

export const FILES: Record<FileSuite, Files> = {
  rooms: { group: 24, atATime: 3, atATimeDelayed: 5, longestMs: 8 * MINUTE_MS },
  journeys: { group: 1, atATime: 2, longestMs: 4 * MINUTE_MS, browser: true },
  engines: { group: 1, atATime: 2, longestMs: 25 * MINUTE_MS, bring: "e2e/engines/bring_postgres.ts" },
  wordpress: { group: 1, atATime: 2, longestMs: 15 * MINUTE_MS, bring: "e2e/wordpress/bring_wordpress.ts" },
  browsers: { group: 1, atATime: 1, longestMs: 25 * MINUTE_MS, bring: "e2e/browsers/bring_browsers.ts" },
  slow: { group: 1, atATime: 3, longestMs: 15 * MINUTE_MS },
  browser: { group: 1, atATime: 5, longestMs: 15 * MINUTE_MS, browser: true },
  hosts: { group: 1, atATime: 1, longestMs: 15 * MINUTE_MS, bring: "e2e/hosts/bring_hosts.ts" },
  deploy: { group: 1, atATime: 1, longestMs: 15 * MINUTE_MS, bring: "e2e/deploy/bring_tools.ts" },
  openapi: { group: 1, atATime: 1, longestMs: 15 * MINUTE_MS, bring: "e2e/openapi/bring_schemathesis.ts" },
  alone: { group: 1, atATime: 1, longestMs: 15 * MINUTE_MS },
};

/** Returns how many processes of a suite run at once. */
export function atATimeOf(suite: FileSuite, isStressed: boolean): number {
  const { atATime, atATimeDelayed = atATime } = FILES[suite];
  return isStressed ? atATimeDelayed : atATime;
}

/** Suites that run beside each other, after those before have ended. Files that take long start first. */
export const PHASES: FileSuite[][] = [
  ["rooms"],
  ["journeys"],
  ["engines", "wordpress", "browsers", "hosts", "deploy", "openapi", "slow", "browser"],
  ["alone"],
];

/** A suite with a command of its own. */
interface Task {
  name: string;
  /** The task of deno.json. */
  task: string;
  /** Runs only with `--nightly`, because it takes many minutes. */
  nightly?: boolean;
}

/** No task takes nearly so long, nor does bringing its tools, even if they have to be built. */
export const LONGEST_TASK_MS = { usual: 25 * MINUTE_MS, nightly: 120 * MINUTE_MS };

export const CHECKS = ["check:format", "check:lint", "check:types"];

export const TASKS: Task[] = [
  { name: "vendor specifications", task: "test:vendor-specs" },
  { name: "fuzz, a million inputs", task: "test:fuzz", nightly: true },
  { name: "crash, 100 rounds", task: "test:crash", nightly: true },
  { name: "every provider", task: "test:providers", nightly: true },
  { name: "upgrade", task: "test:upgrade", nightly: true },
  { name: "move to another provider", task: "test:migration", nightly: true },
  { name: "flood", task: "test:flood", nightly: true },
  { name: "abuse", task: "test:abuse", nightly: true },
  { name: "restore", task: "test:restore", nightly: true },
];

export const taskJob = (task: string, nightly = false): Job => ({
  name: `deno task ${task}`,
  command: DENO,
  args: ["task", "--quiet", task],
  limitMs: LONGEST_TASK_MS[nightly ? "nightly" : "usual"],
});

interface Run {
  /** Each job writes its report here. */
  folder: string;
  env: Record<string, string>;
  preload: string[];
  /** With random delays. Then it says where a timer or request was started that a test has left behind, which takes time. */
  isStressed: boolean;
}

/** Returns one job for each group of a suite's files. */
export function fileJobs(
  suite: FileSuite,
  files: readonly string[],
  { folder, env, preload, isStressed }: Run,
): Job[] {
  const { group, longestMs } = FILES[suite];
  return groupsOf(files, group).map((paths) => ({
    name: paths.length === 1 ? paths[0]! : `${paths[0]} to ${paths.at(-1)} (${paths.length} files)`,
    command: DENO,
    args: [
      // The modules are installed: checking that takes a lock, for which processes would wait for each other.
      ...[
        "test",
        "-A",
        "--no-check",
        "--node-modules-dir=manual",
        `--junit-path=${folder}/${crypto.randomUUID()}.xml`,
      ],
      ...isStressed ? ["--trace-leaks"] : [],
      ...preload.flatMap((path) => ["--preload", path]),
      "dev/tests/group.ts",
    ],
    // Otherwise every program that a test starts would look up the name of Deno's server.
    env: { ...env, DENO_NO_UPDATE_CHECK: "1", CFBE_TEST_FILES: paths.join(" ") },
    limitMs: longestMs,
    lane: { name: suite, atATime: atATimeOf(suite, isStressed) },
  }));
}
