/**
 * `deno task bench:all`: measures the program and prints each figure beside its goal.
 *
 * docs/performance.md explains the figures and the options.
 */
import { basename, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import type { Bench, Checkout, Options } from "./bench.ts";
import { accepted } from "./benches/accepted.ts";
import { backup, backupUnderLoad } from "./benches/backup.ts";
import { delivered } from "./benches/delivered.ts";
import { idle } from "./benches/idle.ts";
import { inp } from "./benches/inp.ts";
import { memory } from "./benches/memory.ts";
import { navigation } from "./benches/navigation.ts";
import { neutral } from "./benches/neutral.ts";
import { pages } from "./benches/pages.ts";
import { refused } from "./benches/refused.ts";
import { search } from "./benches/search.ts";
import { sizes } from "./benches/sizes.ts";
import { start } from "./benches/start.ts";
import { token } from "./benches/token.ts";
import { type CheckedOut, checkOut, task } from "../checkout.ts";
import { isVersion } from "../release/prepare.ts";
import { type MeasuredRelease, processorIn, releasesAsMarkdown, withRelease } from "./releases.ts";
import { asMarkdown, asText, type Column, withMarked } from "./report.ts";
import { median } from "./statistics.ts";

const BENCHES: Record<string, Bench> = {
  accepted,
  delivered,
  refused,
  token,
  neutral,
  memory,
  start,
  idle,
  sizes,
  search,
  pages,
  backup,
  backupUnderLoad,
  inp,
  navigation,
};
const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const PAGE = new URL("../../docs/performance.md", import.meta.url);
const RELEASES = new URL("releases.json", import.meta.url);

const { values, positionals } = parseArgs({
  options: {
    quick: { type: "boolean", default: false },
    write: { type: "boolean", default: false },
    release: { type: "string" },
    against: { type: "string" },
    signups: { type: "string" },
    records: { type: "string" },
    kv: { type: "string" },
  },
  allowPositionals: true,
});
const unknown = positionals.filter((name) => !Object.hasOwn(BENCHES, name));
if (unknown.length > 0) {
  exit(`Unknown benchmark ${unknown.join(", ")}. Use ${Object.keys(BENCHES).join(", ")}.`);
}
if (values.kv !== undefined && values.against !== undefined) {
  exit("--kv can't be used with --against: only one program can have the file open.");
}
const { quick, release } = values;
if ((values.write || release !== undefined) && positionals.length > 0) {
  exit("--write and --release need the figures of every benchmark.");
}
if (release !== undefined && !isVersion(release)) exit("--release needs a version, such as 1.2.0.");
if (release !== undefined && quick) exit("The figures of a release are not --quick.");
const options: Options = {
  quick,
  signups: atLeast("--signups", values.signups ?? (quick ? "8000" : "60000"), 400),
  records: atLeast("--records", values.records ?? (quick ? "20000" : "100000"), 2_000),
  ...(values.kv !== undefined && { kv: resolve(values.kv) }),
};
await using otherCommit = values.against === undefined ? undefined : await commitUnlessFolder(values.against);
const checkouts: Checkout[] = [{ label: "now", folder: ROOT }];
if (otherCommit) checkouts.push({ label: values.against!, folder: otherCommit.folder });
else if (values.against !== undefined) {
  checkouts.push({ label: basename(resolve(values.against)), folder: resolve(values.against) });
}
const columns: Column[] = checkouts.map(({ label }) => ({ label, results: new Map() }));
const chosen = positionals.length > 0 ? positionals : Object.keys(BENCHES);
for (const name of chosen) await run(name, BENCHES[name]!);

console.log(asText(columns));
const day = new Date().toISOString().slice(0, 10);
const cores = navigator.hardwareConcurrency;
if (values.write || release !== undefined) {
  const machine = `${day}, ${cores} cores, Deno ${Deno.version.deno}:`;
  let page = withMarked(
    await Deno.readTextFile(PAGE),
    "figures",
    `${machine}\n\n${asMarkdown(columns)}`,
  );
  if (release !== undefined) page = withMarked(page, "releases", releasesAsMarkdown(await keep(release)));
  await Deno.writeTextFile(PAGE, page);
  const files = [PAGE, RELEASES].map((url) => fileURLToPath(url));
  await new Deno.Command(Deno.execPath(), { args: ["fmt", "--quiet", ...files] }).output();
}

/** Adds this run to the figures of the releases, and returns them all. */
async function keep(version: string): Promise<MeasuredRelease[]> {
  const processor = processorIn(await Deno.readTextFile("/proc/cpuinfo"));
  const releases = withRelease(JSON.parse(await Deno.readTextFile(RELEASES)), {
    version,
    day,
    machine: { cores, processor, deno: Deno.version.deno },
    figures: Object.fromEntries([...columns[0]!.results].filter(([, value]) => !Number.isNaN(value))),
  });
  await Deno.writeTextFile(RELEASES, JSON.stringify(releases));
  return releases;
}

/** Checks out and builds what `--against` names, unless it is the folder of a checkout. */
async function commitUnlessFolder(against: string): Promise<CheckedOut | undefined> {
  if (await Deno.stat(against).then(({ isDirectory }) => isDirectory, () => false)) return undefined;
  const commit = await checkOut(against);
  await task(commit.folder, "build", "--logLevel", "warn");
  return commit;
}

/** Runs one benchmark. Rounds of the checkouts alternate, so that a busy moment of the machine affects both. */
async function run(name: string, bench: Bench): Promise<void> {
  await using stack = new AsyncDisposableStack();
  const opened = [];
  for (const checkout of checkouts) opened.push(stack.use(await bench.open(checkout, options)));
  const measured = checkouts.map((): Map<string, number[]> => new Map());
  for (let round = 1; round <= bench.rounds; round++) {
    for (const [at, { measure }] of opened.entries()) {
      const results = await measure();
      for (const [key, value] of Object.entries(results)) {
        measured[at]!.set(key, [...measured[at]!.get(key) ?? [], value]);
      }
      const shown = Object.entries(results).map(([key, value]) => `${key} ${Number(value.toPrecision(4))}`);
      console.error(`${name} ${round}/${bench.rounds} ${checkouts[at]!.label}: ${shown.join(", ")}`);
    }
  }
  for (const [at, values] of measured.entries()) {
    for (const [key, all] of values) columns[at]!.results.set(key, median(all));
  }
}

function atLeast(option: string, value: string, least: number): number {
  if (/^\d+$/.test(value) && Number(value) >= least) return Number(value);
  exit(`${option} must be a whole number of at least ${least}.`);
}

function exit(usage: string): never {
  console.error(usage);
  Deno.exit(2);
}
