import assert from "node:assert/strict";
import { dirname, join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";

/**
 * Checks in the sources the rules of CONTRIBUTING.md about which folder may import which. Type imports count,
 * except where a test says otherwise; tests and what only they use do not.
 */

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const TESTS = /^(testing|guarantees|conformance|dist|dist-npm|node_modules)$|_test\.tsx?$|^conformance\.ts$/;

interface Import {
  /** Path from the root, such as `server/program/app.ts`. */
  to: string;
  /** Whether it only imports types. */
  typeOnly: boolean;
}
type Graph = Map<string, Import[]>;

function sources(folder: string): string[] {
  return [...Deno.readDirSync(join(ROOT, folder))].filter(({ name }) => !TESTS.test(name)).flatMap(
    (entry) => {
      const path = `${folder}/${entry.name}`;
      if (entry.isDirectory) return sources(path);
      return /\.tsx?$/.test(path) ? [path] : [];
    },
  );
}

function isTypeOnly(clause: ts.ImportClause | undefined): boolean {
  if (!clause) return false;
  if (clause.phaseModifier === ts.SyntaxKind.TypeKeyword) return true;
  const named = clause.namedBindings;
  return !clause.name && named !== undefined && ts.isNamedImports(named) && named.elements.length > 0 &&
    named.elements.every((element) => element.isTypeOnly);
}

/** Returns the specifier of an import or a re-export, of `import()` and of `import("…").Type`. */
function specifierOf(node: ts.Node): { text: string; typeOnly: boolean } | undefined {
  const found = (specifier: ts.Node | undefined, typeOnly: boolean) =>
    specifier && ts.isStringLiteralLike(specifier) ? { text: specifier.text, typeOnly } : undefined;
  if (ts.isImportDeclaration(node)) return found(node.moduleSpecifier, isTypeOnly(node.importClause));
  if (ts.isExportDeclaration(node)) return found(node.moduleSpecifier, node.isTypeOnly);
  if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) {
    return found(node.argument.literal, true);
  }
  if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
    return found(node.arguments[0], false);
  }
  return undefined;
}

function importsOf(path: string, text: string): Import[] {
  const found: Import[] = [];
  const visit = (node: ts.Node): void => {
    const specifier = specifierOf(node);
    if (specifier && /^\.\.?\//.test(specifier.text)) {
      const to = relative(ROOT, join(ROOT, dirname(path), specifier.text)).replaceAll(sep, "/");
      found.push({ to, typeOnly: specifier.typeOnly });
    }
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(path, text, ts.ScriptTarget.Latest));
  return found;
}

/** Returns the shortest path from one of `starts` to a file that `fits`, or undefined if there is none. */
function wayTo(graph: Graph, starts: string[], fits: (path: string) => boolean): string | undefined {
  const ways = starts.map((start) => [start]);
  const seen = new Set(starts);
  for (const way of ways) {
    for (const { to } of graph.get(way.at(-1)!) ?? []) {
      if (fits(to)) return [...way, to].join(" → ");
      if (!seen.has(to)) ways.push([...way, to]);
      seen.add(to);
    }
  }
  return undefined;
}

/** Returns `server/signup` for any file in it, and a file at the top of `server/` itself. */
function folderOf(path: string): string {
  return path.split("/").slice(0, 2).join("/");
}

/** Returns the graph of folders, without imports within a folder. */
function foldersOf(graph: Graph): Graph {
  const folders: Graph = new Map();
  for (const [path, imports] of graph) {
    const from = folderOf(path);
    const others = imports.map((found) => ({ ...found, to: folderOf(found.to) })).filter(({ to }) =>
      to !== from
    );
    folders.set(from, [...folders.get(from) ?? [], ...others]);
  }
  return folders;
}

const paths = ["server", "shared", "widget/src", "widget/npm"].flatMap(sources);
const graph: Graph = new Map(
  paths.map((path) => [path, importsOf(path, Deno.readTextFileSync(join(ROOT, path)))]),
);
const within = (...folders: string[]) => (path: string) =>
  folders.some((folder) => path.startsWith(`${folder}/`));
const inside = (...folders: string[]) => paths.filter(within(...folders));

/** One folder per external system, and the sandbox. */
const ADAPTERS = [
  "server/sandbox",
  ...["server/providers", "server/shops/systems"].flatMap((parent) =>
    [...Deno.readDirSync(join(ROOT, parent))].filter(({ name, isDirectory }) =>
      isDirectory && !TESTS.test(name)
    )
      .map(({ name }) => `${parent}/${name}`)
  ),
];

/** The folders below every feature, each with the folders it may import from. Every folder may import `shared/`. */
const ENGINE: Record<string, string[]> = {
  "server/platform/audit": [
    "server/platform/audit",
    "server/platform/keys",
    "server/platform/kv",
    "server/platform/config/cfbe_command.ts",
    "server/platform/words/closest_name.ts",
    "server/platform/config/config.ts",
    "server/platform/deps.ts",
    "server/platform/config/start_error.ts",
  ],
  "server/platform/http": [
    "server/platform/http",
    "server/platform/keys",
    "server/platform/kv",
    "server/platform/limits",
    "server/platform/config/cfbe_command.ts",
    "server/platform/words/closest_name.ts",
    "server/platform/config/config.ts",
    "server/platform/deps.ts",
    "server/platform/load_once.ts",
    "server/platform/config/start_error.ts",
    "server/platform/stored_time.ts",
  ],
  "server/platform/jobs": [
    "server/platform/jobs",
    "server/platform/kv",
    "server/platform/config/cfbe_command.ts",
    "server/platform/words/counted.ts",
    "server/platform/deps.ts",
    "server/platform/load_once.ts",
    "server/platform/config/start_error.ts",
    "server/platform/stored_time.ts",
  ],
  "server/platform/kv": ["server/platform/kv", "server/platform/config/cfbe_command.ts", "server/platform/deps.ts", "server/platform/config/start_error.ts"],
};

Deno.test("the widget and the server share only `shared/`, which imports neither", () => {
  assert.equal(wayTo(graph, inside("widget"), within("server")), undefined);
  assert.equal(wayTo(graph, inside("server"), within("widget")), undefined);
  assert.equal(wayTo(graph, inside("shared"), within("server", "widget")), undefined);
});

Deno.test("nothing imports the program's entry point", () => {
  assert.equal(wayTo(graph, paths, (path) => path === "server/main.ts"), undefined);
});

for (const [folder, allowed] of Object.entries(ENGINE)) {
  Deno.test(`${folder} imports no feature, directly or indirectly`, () => {
    assert.notDeepEqual(inside(folder), []);
    const known = (path: string) => allowed.includes(path) || within(...allowed, "shared")(path);
    assert.equal(wayTo(graph, inside(folder), (path) => !known(path)), undefined);
  });
}

Deno.test("a port imports no adapter, directly or indirectly", () => {
  const ports = ["server/providers/port/port.ts", "server/shops/systems/port.ts"];
  for (const port of ports) assert.ok(graph.has(port), port);
  assert.equal(wayTo(graph, ports, within(...ADAPTERS)), undefined);
});

for (const adapter of ADAPTERS) {
  Deno.test(`${adapter} imports no other adapter, directly or indirectly`, () => {
    assert.notDeepEqual(inside(adapter), []);
    const others = ADAPTERS.filter((other) => other !== adapter);
    assert.equal(wayTo(graph, inside(adapter), within(...others)), undefined);
  });
}

/** Files that are allowed to be in an import cycle, and why. */
const LISTED_CYCLES: Record<string, string> = {
  "widget/src/host/context.ts": "names the type of every part that a part may load",
};

/**
 * Returns the shortest cycle through each node. Each cycle is listed once, starting with its alphabetically
 * first node.
 */
function cyclesOf(graph: Graph): string[] {
  return [...graph.keys()].sort().flatMap((start) => {
    const path = wayTo(graph, [start], (to) => to === start)?.split(" → ") ?? [];
    return path.length > 0 && path.every((node) => node >= start) ? [path.join(" → ")] : [];
  });
}

/** Returns an import for each step of a path of folders. */
function importsAlong(cycle: string): string[] {
  const folders = cycle.split(" → ");
  return folders.slice(1).map((to, step) => {
    const imports = inside("server").flatMap((path) =>
      graph.get(path)!.map((found) => [path, found.to] as const)
    );
    const made = imports.find(([path, found]) => folderOf(path) === folders[step] && folderOf(found) === to)!;
    return made.join(" imports ");
  });
}

Deno.test("the folders of the server have no import cycle, including type imports", () => {
  const server: Graph = new Map(inside("server").map((path) => [path, graph.get(path)!]));
  assert.deepEqual(cyclesOf(foldersOf(server)).map((cycle) => [cycle, ...importsAlong(cycle)]), []);
});

Deno.test("only the files that assemble the program import `services.ts`", () => {
  const importers = paths.filter((path) => graph.get(path)!.some(({ to }) => to === "server/program/services.ts"));
  assert.deepEqual(importers.sort(), ["server/program/app.ts", "server/program/bootstrap.ts"]);
});

Deno.test("files have no import cycle, including type imports", () => {
  const unlisted: Graph = new Map([...graph].filter(([path]) => !Object.hasOwn(LISTED_CYCLES, path)));
  assert.deepEqual(cyclesOf(unlisted), []);
});

Deno.test("every kind of import is found, and type imports are recognized", () => {
  const text = `import a from "../../server/a.ts"; import type b from "../../server/b.ts"; import { type c } from "../../server/c.ts";
    import { type d, e } from "../../server/d.ts"; export * from "../../server/e.ts"; export type { f } from "../../f.ts";
    const g = await import("../../server/g.ts"); let h: import("../../server/h.ts").H; import "../../server/i.ts"; import z from "zod";`;
  assert.deepEqual(
    importsOf("server/x/y.ts", text).map(({ to, typeOnly }) => `${to}${typeOnly ? " (type)" : ""}`),
    [
      "server/x/a.ts",
      "server/x/b.ts (type)",
      "server/x/c.ts (type)",
      "server/x/d.ts",
      "server/x/e.ts",
      "server/f.ts (type)",
      "server/x/g.ts",
      "server/x/h.ts (type)",
      "server/x/i.ts",
    ],
  );
});
