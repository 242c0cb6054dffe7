/** What `deno task test:deploy` runs the program with: the Deno of Deno Deploy, and a KV Connect server. */
import { join } from "node:path";

const HOME = Deno.env.get("HOME") ?? Deno.cwd();
/** Kept between runs: building the server takes minutes. */
export const TOOLS = join(Deno.env.get("XDG_CACHE_HOME") || join(HOME, ".cache"), "cfbe-test-tools");

/** The documentation of Deno Deploy says 2.5 (2026-11); the newest of that line. */
const DENO = "2.5.7";
const DENOKV = "0.14.0";

/** The native program: a signal to the script in `.bin` would end that script alone. */
export const denoOfDeploy = join(
  TOOLS,
  `deno-${DENO}/node_modules/@deno/linux-${Deno.build.arch === "x86_64" ? "x64" : "arm64"}-glibc/deno`,
);
export const denokv = join(TOOLS, `denokv-${DENOKV}`, "bin", "denokv");

/** What is missing, how it is installed from its registry, and what brings that command. */
export const NEEDED = [
  {
    file: denoOfDeploy,
    command: [
      "npm",
      "install",
      "--no-audit",
      "--no-fund",
      "--prefix",
      join(TOOLS, `deno-${DENO}`),
      `deno@${DENO}`,
    ],
    needs: "npm",
  },
  {
    file: denokv,
    command: [
      "cargo",
      "install",
      "denokv",
      "--version",
      DENOKV,
      "--locked",
      "--root",
      join(TOOLS, `denokv-${DENOKV}`),
    ],
    needs: "cargo",
  },
] as const;
