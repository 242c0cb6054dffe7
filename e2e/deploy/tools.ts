/** Tools of `deno task test:deploy`: the Deno version of Deno Deploy, and a KV Connect server. */
import { join } from "node:path";
import { TOOLS } from "../tools_folder.ts";

/** Deno Deploy runs 2.5 according to its documentation (2026-11). This is the newest 2.5 release. */
const DENO = "2.5.7";
const DENOKV = "0.14.0";

/** The native binary. A signal to the script in `.bin` would end only the script. */
export const denoOfDeploy = join(
  TOOLS,
  `deno-${DENO}/node_modules/@deno/linux-${Deno.build.arch === "x86_64" ? "x64" : "arm64"}-glibc/deno`,
);
export const denokv = join(TOOLS, `denokv-${DENOKV}`, "bin", "denokv");

/** Files, the commands that install them, and what those commands need. */
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
