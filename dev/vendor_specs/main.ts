/**
 * `deno task test:vendor-specs`: runs the tests of every adapter, and checks what the adapters sent and what their doubles
 * responded against what the vendors publish.
 *
 * The folder with the vendors' files is `CFBE_VENDOR_SPECS`, by default `../shared/vendor-specs`. Adapters whose files are
 * not there are not checked: those files are not ours to distribute.
 */
import { join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { parse } from "yaml";
import { type Exchange, EXCHANGES_VARIABLE } from "../../server/providers/testing/record_exchanges.ts";
import type { VendorSpec } from "../../server/providers/testing/vendor_spec.ts";
import { checkExchanges, type Findings } from "./check.ts";
import { recordingsOf } from "./recordings.ts";
import { operationsOf } from "./specification.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const PROVIDERS = join(ROOT, "server/providers/adapters");
const specifications = resolve(ROOT, Deno.env.get("CFBE_VENDOR_SPECS") ?? "../shared/vendor-specs");

if (!await exists(specifications)) {
  console.log(
    `Nothing to check: there is no ${specifications}. Set CFBE_VENDOR_SPECS to the vendors' files.`,
  );
  Deno.exit(0);
}

const specs = new Map<string, VendorSpec>();
for await (const { name, isDirectory } of Deno.readDir(PROVIDERS)) {
  const file = join(PROVIDERS, name, "testing/vendor_spec.ts");
  if (!isDirectory || !await exists(file)) continue;
  const { vendorSpec }: { vendorSpec: VendorSpec } = await import(pathToFileURL(file).href);
  const missing = await missingFileOf(vendorSpec);
  if (missing === undefined) specs.set(name, vendorSpec);
  else console.log(`${name}: not checked, because there is no ${missing}`);
}
if (specs.size === 0) throw new Error(`${specifications} has the files of no adapter in ${PROVIDERS}`);
const folder = await Deno.makeTempDir();
try {
  const tests = [...specs.keys()].map((kind) => join(PROVIDERS, kind));
  const { success } = await new Deno.Command(Deno.execPath(), {
    args: ["test", "-A", "--no-check", "--reporter=dot", ...tests],
    cwd: ROOT,
    env: { [EXCHANGES_VARIABLE]: folder },
  }).spawn().status;
  let failed = !success;
  for (const [kind, spec] of [...specs].sort()) {
    const findings = await check(kind, spec);
    print(kind, findings);
    failed ||= findings.faults.size > 0 || findings.unused.length > 0;
  }
  Deno.exitCode = failed ? 1 : 0;
} finally {
  await Deno.remove(folder, { recursive: true });
}

async function check(kind: string, spec: VendorSpec): Promise<Findings> {
  const lines = await Deno.readTextFile(join(folder, kind)).catch(() => {
    throw new Error(
      `The tests of ${kind} recorded nothing: wrap its double in recordingExchanges("${kind}", …)`,
    );
  });
  const exchanges = lines.trimEnd().split("\n").map((line) => JSON.parse(line) as Exchange);
  const operations = [];
  for (const file of spec.files) {
    operations.push(...operationsOf(file, await read(join(specifications, file))));
  }
  const recorded = [];
  for (const path of spec.recordings ?? []) {
    for (const file of await filesIn(join(specifications, path))) recorded.push(await read(file));
  }
  return checkExchanges(exchanges, { operations, recordings: recordingsOf(recorded) }, spec);
}

function print(kind: string, findings: Findings): void {
  const { exchanges, operations, validated, faults, excused, unused } = findings;
  console.log(
    `${kind}: ${exchanges} exchanges, ${operations.described} of ${operations.used} operations described, ` +
      `${validated} bodies validated, ${excused.size} differences with a reason`,
  );
  for (const [what, example] of faults) console.log(`  ${what}: ${example}`);
  for (const reason of unused) console.log(`  ${reason}: its reason is no longer needed; remove it`);
}

// deno-lint-ignore no-explicit-any -- each caller knows what its file contains
async function read(file: string): Promise<any> {
  return parse(await Deno.readTextFile(file), { maxAliasCount: -1 });
}

async function filesIn(path: string): Promise<string[]> {
  if ((await Deno.stat(path)).isFile) return [path];
  const files = [];
  for await (const { name } of Deno.readDir(path)) files.push(...await filesIn(join(path, name)));
  return files.sort();
}

async function missingFileOf({ files, recordings = [] }: VendorSpec): Promise<string | undefined> {
  for (const file of [...files, ...recordings]) {
    if (!await exists(join(specifications, file))) return join(specifications, file);
  }
}

async function exists(path: string): Promise<boolean> {
  return await Deno.stat(path).then(() => true, () => false);
}
