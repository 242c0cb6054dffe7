import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { PROVIDERS } from "./provider/providers.ts";

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
  "server/admin/pages/",
  "server/admin/routes.ts",
  "server/cli/",
  "server/demo/",
  "server/mcp/",
  "server/openapi/document.ts",
  "server/ops/backup/restore.ts",
  "server/ops/backup/snapshot.ts",
  "server/ops/doctor/",
  "server/ops/routes.ts",
  "server/sandbox/api/",
  "server/sandbox/pages/",
  "server/subscribers/bulk/",
  "server/subscribers/migration/",
  "server/try_out.ts",
  "npm:/preact",
];

/** Matches the files of an adapter: all in a provider's folder but its fields, texts and capabilities. */
const ADAPTER = new RegExp(
  `^server/provider/(${Object.keys(PROVIDERS).join("|")})/(?!(module|capabilities)\\.ts$)`,
);

/** Returns the modules that `main.ts` imports, directly or not, except by `import()`. */
async function importsAtStart(): Promise<string[]> {
  const main = fileURLToPath(new URL("./main.ts", import.meta.url));
  const { stdout } = await new Deno.Command(Deno.execPath(), { args: ["info", "--json", main] }).output();
  const { roots, modules }: Graph = JSON.parse(new TextDecoder().decode(stdout));
  const bySpecifier = new Map(modules.map((module) => [module.specifier, module]));
  const found = new Set<string>(roots);
  for (const specifier of found) {
    for (const { code, isDynamic } of bySpecifier.get(specifier)?.dependencies ?? []) {
      if (code && !isDynamic) found.add(code.specifier);
    }
  }
  const root = new URL("../", import.meta.url).href;
  return [...found].map((specifier) => specifier.replace(root, ""));
}

Deno.test("a start loads no pages of the admin, no sandbox and demo, no operations and no API description", async () => {
  const loaded = await importsAtStart();
  assert.ok(loaded.includes("server/app.ts"));
  assert.deepEqual(loaded.filter((path) => LOADED_LATER.some((later) => path.startsWith(later))), []);
});

Deno.test("a start loads the adapter of no provider, only the fields and capabilities of each", async () => {
  const loaded = await importsAtStart();
  for (const kind of Object.keys(PROVIDERS)) {
    assert.ok(loaded.includes(`server/provider/${kind}/module.ts`), kind);
  }
  assert.deepEqual(loaded.filter((path) => ADAPTER.test(path)), []);
});
