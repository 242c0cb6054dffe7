/**
 * `deno task mutate [path…]`: changes the code in small ways, one at a time, and runs the tests of the changed file. A
 * change that no test notices shows what the tests do not check. Prints those changes and the share that was caught,
 * and exits with 1 if it is below 90 %.
 *
 * Stryker makes the changes, in a temporary copy of the working tree. It is installed there and not listed in
 * deno.json, because nothing else needs its hundred packages.
 */
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { type FileScore, type MutationReport, percentCaught, scoresOf } from "./report.ts";
import { type Subject, SUBJECTS } from "./table.ts";

const STRYKER = "npm:@stryker-mutator/core@9.6.1";
const REQUIRED_PERCENT = 90;
const OPTIONS = "-A --no-check --quiet --fail-fast --preload dev/mutation/fixed_seed.ts";
const ROOT = fileURLToPath(new URL("../../", import.meta.url));

/** Runs Deno in `cwd`, and shows what it prints. */
async function deno(cwd: string, ...args: string[]): Promise<void> {
  const { success } = await new Deno.Command(Deno.execPath(), { args, cwd, stdin: "null" }).spawn().status;
  if (!success) throw new Error(`deno ${args.join(" ")} failed`);
}

/** Copies the files that git tracks or would track, as they are in the working tree, and links what was installed and built. */
async function copyTree(to: string): Promise<void> {
  const args = ["ls-files", "-z", "--cached", "--others", "--exclude-standard"];
  const { stdout } = await new Deno.Command("git", { args, cwd: ROOT }).output();
  const files = new TextDecoder().decode(stdout).split("\0").filter(Boolean);
  for (const folder of new Set(files.map(dirname))) await Deno.mkdir(`${to}/${folder}`, { recursive: true });
  for (const file of files) {
    await Deno.copyFile(ROOT + file, `${to}/${file}`).catch((error) => {
      // Deleted, but not yet in a commit.
      if (!(error instanceof Deno.errors.NotFound)) throw error;
    });
  }
  for (const ignored of ["node_modules", "widget/dist"]) {
    await Deno.symlink(ROOT + ignored, `${to}/${ignored}`);
  }
}

async function mutate(tools: string, tree: string, { files, tests }: Subject): Promise<FileScore[]> {
  const config = {
    testRunner: "command",
    commandRunner: { command: `deno test ${OPTIONS} ${tests.join(" ")}` },
    mutate: files,
    plugins: [],
    reporters: ["progress-append-only", "json"],
    jsonReporter: { fileName: "mutation.json" },
    // The tree is a copy already.
    inPlace: true,
    disableTypeChecks: false,
    concurrency: 2,
    timeoutMS: 5_000,
  };
  await Deno.writeTextFile(`${tree}/stryker.conf.json`, JSON.stringify(config));
  await deno(tree, "run", "-A", `${tools}/node_modules/@stryker-mutator/core/bin/stryker.js`, "run");
  return scoresOf(JSON.parse(await Deno.readTextFile(`${tree}/mutation.json`)) as MutationReport);
}

function chosen(paths: readonly string[]): Subject[] {
  if (paths.length === 0) return [...SUBJECTS];
  const subjects = SUBJECTS.map(({ files, tests }) => ({
    files: files.filter((file) => paths.some((path) => file === path || file.startsWith(`${path}/`))),
    tests,
  })).filter(({ files }) => files.length > 0);
  if (subjects.length > 0) return subjects;
  console.error(`dev/mutation/table.ts lists no file at ${paths.join(", ")}. Add it there, with its tests.`);
  Deno.exit(2);
}

const subjects = chosen(Deno.args);
const tools = await Deno.makeTempDir({ prefix: "cfbe_mutate_" });
const tree = `${tools}/tree`;
const scores: FileScore[] = [];
// Ctrl-C also ends Stryker, which makes this program fail and remove its folder.
Deno.addSignalListener("SIGINT", () => {});
try {
  await Deno.writeTextFile(
    `${tools}/deno.json`,
    JSON.stringify({ nodeModulesDir: "auto", imports: { "@stryker-mutator/core": STRYKER } }),
  );
  await deno(tools, "install", "--quiet");
  await copyTree(tree);
  for (const subject of subjects) {
    console.log(`\n${subject.files.join(" ")}`);
    const found = await mutate(tools, tree, subject);
    for (const line of found.flatMap(({ survivors }) => survivors)) console.log(`Not caught: ${line}`);
    scores.push(...found);
  }
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  Deno.exitCode = 2;
} finally {
  await Deno.remove(tools, { recursive: true });
}

if (Deno.exitCode !== 0) Deno.exit();
console.log("\nCaught:");
for (const score of scores) {
  console.log(
    `${percentCaught([score]).toFixed(0).padStart(3)} %  ${score.caught}/${score.total}  ${score.file}`,
  );
}
const percent = percentCaught(scores);
console.log(`\n${percent.toFixed(1)} % in total; ${REQUIRED_PERCENT} % are required.`);
Deno.exit(percent < REQUIRED_PERCENT ? 1 : 0);
