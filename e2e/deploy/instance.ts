/** The server as on Deno Deploy, as far as that is possible without an account. */
import { fileURLToPath } from "node:url";
import { type RunningProgram, runProgram } from "../program.ts";
import { denoOfDeploy } from "./tools.ts";

export const SALT = "a salt for tests, long enough to be one";

/** Preloaded scripts that remove a feature of the runtime. */
export type Without = "no_cron" | "no_peer";

/**
 * Starts an instance with the Deno version of Deno Deploy. It can neither write files nor run commands, and its
 * database is the runtime's default.
 */
export function startInstance(
  env: Record<string, string>,
  { without = [], runtime = denoOfDeploy }: { without?: Without[]; runtime?: string } = {},
): Promise<RunningProgram> {
  const preloads = without.map((name) =>
    `--preload=${fileURLToPath(new URL(`${name}.ts`, import.meta.url))}`
  );
  return runProgram(
    { CFBE_KV: "", DENO_DEPLOY: "true", DENO_TIMELINE: "production", CFBE_SALT: SALT, ...env },
    (
      root,
    ) => [
      "--no-prompt",
      "--frozen",
      "--allow-net",
      "--allow-env",
      `--allow-read=${root},/proc/self/fd`,
      ...preloads,
    ],
    runtime,
  );
}
