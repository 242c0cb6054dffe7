import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { PROVIDERS } from "../providers/providers.ts";

/** Tests which modules a start loads. Each takes memory as long as the process runs, and time at the start. */

interface Graph {
  roots: [string];
  modules: { specifier: string; dependencies?: Dependency[] }[];
}
interface Dependency {
  code?: { specifier: string };
  isDynamic?: boolean;
}

/** Modules that are imported when they are first needed. A folder ends with a slash. */
const LOADED_LATER = [
  "server/admin/page_registry.ts",
  "server/admin/routes.ts",
  "server/cli/",
  "server/sandbox/demo/",
  "server/cli/mcp/",
  "server/program/openapi/document.ts",
  "server/operations/backup/restore.ts",
  "server/operations/backup/snapshot.ts",
  "server/operations/doctor/",
  "server/operations/remote/routes.ts",
  "server/sandbox/api/",
  "server/sandbox/pages/",
  "server/subscribers/bulk/",
  "server/subscribers/migration/",
  "server/program/try_out.ts",
  "npm:/preact",
];

/** Matches the files of an adapter: all in a provider's folder but its fields, texts and capabilities. */
const ADAPTER = new RegExp(
  `^server/providers/adapters/(${Object.keys(PROVIDERS).join("|")})/(?!(module|capabilities)\\.ts$)`,
);

let imports: Promise<string[]> | undefined;

/** Returns the modules that `main.ts` imports, directly or not, except by `import()`. Finding them takes seconds. */
const importsAtStart = () => imports ??= findImports();

async function findImports(): Promise<string[]> {
  const main = fileURLToPath(new URL("../main.ts", import.meta.url));
  const { stdout } = await new Deno.Command(Deno.execPath(), { args: ["info", "--json", main] }).output();
  const { roots, modules }: Graph = JSON.parse(new TextDecoder().decode(stdout));
  const bySpecifier = new Map(modules.map((module) => [module.specifier, module]));
  const found = new Set<string>(roots);
  for (const specifier of found) {
    for (const { code, isDynamic } of bySpecifier.get(specifier)?.dependencies ?? []) {
      if (code && !isDynamic) found.add(code.specifier);
    }
  }
  const root = new URL("../../", import.meta.url).href;
  return [...found].map((specifier) => specifier.replace(root, ""));
}

Deno.test("a start loads no pages of the admin, no sandbox and demo, no operations and no API description", async () => {
  const loaded = await importsAtStart();
  assert.ok(loaded.includes("server/program/app.ts"));
  assert.deepEqual(loaded.filter((path) => LOADED_LATER.some((later) => path.startsWith(later))), []);
});

Deno.test("a start loads the adapter of no provider, only the fields and capabilities of each", async () => {
  const loaded = await importsAtStart();
  for (const kind of Object.keys(PROVIDERS)) {
    assert.ok(loaded.includes(`server/providers/adapters/${kind}/module.ts`), kind);
  }
  assert.deepEqual(loaded.filter((path) => ADAPTER.test(path)), []);
});
