/** Installs what `deno task test:openapi` needs. If that is not possible, it prints what to install and exits with 69. */
import { bringPackages, UNAVAILABLE } from "../debian_packages.ts";
import { FOLDER, PACKAGE, PROGRAM } from "./tools.ts";

async function run(program: string, args: string[]): Promise<void> {
  const { success } = await new Deno.Command(program, { args, stdin: "null", stdout: "null", stderr: "null" })
    .output();
  if (!success) throw new Error(`${program} failed`);
}
const works = () => run(PROGRAM, ["--version"]);

if (!await works().then(() => true, () => false)) {
  await bringPackages([["python3-venv", () => run("python3", ["-c", "import ensurepip, venv"])]]);
  console.log(`Installing ${PACKAGE} in ${FOLDER}`);
  try {
    await run("python3", ["-m", "venv", "--clear", FOLDER]);
    await run(`${FOLDER}/bin/pip`, ["install", "--quiet", PACKAGE]);
    await works();
  } catch {
    console.error(`These tests need ${PACKAGE}. Make sure that pip can reach a package index.`);
    Deno.exit(UNAVAILABLE);
  }
}
