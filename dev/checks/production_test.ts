import assert from "node:assert/strict";
import { relative, sep } from "node:path";
import { fileURLToPath } from "node:url";

/**
 * Checks that production needs no package of tests, packaging or the widget's build. production.json lists only the
 * server, so an install from it includes the packages of server/deno.json and their dependencies.
 */

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const ENTRIES = ["server/main.ts", "server/cli/main.ts"];
const read = async (path: string) => JSON.parse(await Deno.readTextFile(ROOT + path));

const development = await read("deno.json");
const production = await read("production.json");
const server: Record<string, string> = (await read("server/deno.json")).imports;
const lock = await read("deno.lock");
const productionLock = await read("production.lock");

interface Module {
  specifier: string;
  error?: string;
  npmPackage?: string;
  dependencies?: { code?: { error?: string }; type?: { error?: string } }[];
}

async function modulesOf(entry: string): Promise<Module[]> {
  const { stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    // Only in this mode does `deno info` list the packages; the server runs with `manual`.
    args: ["info", "--json", "--frozen", "--node-modules-dir=auto", "--config", "production.json", entry],
    cwd: ROOT,
  }).output();
  assert.notEqual(stdout.length, 0, new TextDecoder().decode(stderr));
  return JSON.parse(new TextDecoder().decode(stdout)).modules;
}

/** Returns `zod` for `npm:zod@4.6.7` and for `zod@4.6.7_peer@1.0.0`. */
const nameOf = (specifier: string) => /^(?:npm:\/?)?(@?[^@]+)@/.exec(specifier)![1]!;

/** A package in a lock file. */
interface Package {
  integrity: string;
  dependencies?: string[];
}

/** Adds the versions of dependencies, which a lock file leaves out if it contains only one version of a package. */
function withVersions(entry: Package | undefined, { npm }: { npm: Record<string, Package> }) {
  const named = (name: string) => name in npm ? name : Object.keys(npm).find((key) => nameOf(key) === name);
  return { ...entry, dependencies: entry?.dependencies?.map(named) };
}

Deno.test("the server and the command line import only server/, shared/ and the packages listed for production", async () => {
  const modules = (await Promise.all(ENTRIES.map(modulesOf))).flat();
  const errors = modules.flatMap((
    { error, dependencies = [] },
  ) => [error, ...dependencies.map(({ code, type }) => code?.error ?? type?.error)]);
  assert.deepEqual(errors.filter(Boolean), []);
  const files = modules.filter(({ specifier }) => specifier.startsWith("file:"));
  const folders = files.map(({ specifier }) => relative(ROOT, fileURLToPath(specifier)).split(sep)[0]);
  assert.deepEqual([...new Set(folders)].sort(), ["server", "shared"]);
  const reached = modules.flatMap(({ npmPackage }) => npmPackage ? [nameOf(npmPackage)] : []);
  assert.deepEqual([...new Set(reached)].sort(), Object.keys(server).sort());
});

Deno.test("production uses the versions that development is tested with", () => {
  assert.deepEqual(
    productionLock.workspace.members.server.dependencies,
    Object.values(server).sort(),
    "production.lock is out of date: run `deno task lock`",
  );
  for (const [specifier, version] of Object.entries(productionLock.specifiers)) {
    assert.equal(lock.specifiers[specifier], version, `${specifier}: run \`deno task lock\``);
  }
  for (const [name, entry] of Object.entries<Package>(productionLock.npm)) {
    assert.deepEqual(
      withVersions(lock.npm[name], lock),
      withVersions(entry, productionLock),
      `${name}: run \`deno task lock\``,
    );
  }
});

Deno.test("production.json runs the program as deno.json does", () => {
  for (const key of ["unstable", "compilerOptions"]) {
    assert.deepEqual(production[key], development[key], key);
  }
  assert.deepEqual(production.deploy, development.deploy);
  assert.deepEqual(production.tasks.cfbe, development.tasks.cfbe);
});

Deno.test("a start of the server does not check the installed packages, which takes as long as the rest of it", () => {
  assert.equal(production.nodeModulesDir, "manual");
  assert.match(development.tasks.start.command, /deno run -A --node-modules-dir=manual .*server\/main\.ts$/);
});

Deno.test("a package that several folders import has one version", async () => {
  const versions = new Map<string, Set<string>>();
  for (const folder of [".", ...development.workspace]) {
    const { imports } = await read(`${folder}/deno.json`);
    for (const [name, target] of Object.entries<string>(imports)) {
      versions.set(name, new Set(versions.get(name)).add(target));
    }
  }
  assert.deepEqual([...versions].filter(([, targets]) => targets.size > 1), []);
});
