import assert from "node:assert/strict";
import { dirname, join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";

/**
 * Checks in the sources the rules of CONTRIBUTING.md about which folder may import which. Type imports count,
 * except where a test says otherwise; tests and what only they use do not, unless a test includes them.
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

function sources(folder: string, tests = false): string[] {
  return [...Deno.readDirSync(join(ROOT, folder))].filter(({ name }) => tests || !TESTS.test(name)).flatMap(
    (entry) => {
      const path = `${folder}/${entry.name}`;
      if (entry.isDirectory) return sources(path, tests);
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

/** Returns the graph of what is in `folder`: its files, and each of its folders as one. */
function insideOf(folder: string, graph: Graph): Graph {
  const nodeOf = (path: string) =>
    path.startsWith(`${folder}/`)
      ? path.split("/").slice(0, folder.split("/").length + 1).join("/")
      : undefined;
  const found: Graph = new Map();
  for (const [path, imports] of graph) {
    const from = nodeOf(path);
    if (!from) continue;
    const others = imports.flatMap((one) => {
      const to = nodeOf(one.to);
      return to === undefined || to === from ? [] : [{ ...one, to }];
    });
    found.set(from, [...found.get(from) ?? [], ...others]);
  }
  return found;
}

const graphOf = (paths: readonly string[]): Graph =>
  new Map(paths.map((path) => [path, importsOf(path, Deno.readTextFileSync(join(ROOT, path)))]));
const paths = ["server", "shared", "widget/src", "widget/npm"].flatMap((folder) => sources(folder));
const graph = graphOf(paths);
const within = (...folders: string[]) => (path: string) =>
  folders.some((folder) => path.startsWith(`${folder}/`));
const inside = (...folders: string[]) => paths.filter(within(...folders));

/** The rooms of `server/`: each imports only those after it, and `shared/`. */
const ROOMS = [
  "cli",
  "program",
  "admin",
  "operations",
  "sandbox",
  "subscribers",
  "shops",
  "signup",
  "forms",
  "settings",
  "providers",
  "platform",
];
const MOST_ENTRIES = 15;

const foldersIn = (folder: string) =>
  [...Deno.readDirSync(join(ROOT, folder))].filter(({ name, isDirectory }) =>
    isDirectory && !TESTS.test(name)
  ).map(({ name }) => name);

/** One folder per external system, and the sandbox. */
const ADAPTERS = [
  "server/sandbox",
  ...["server/providers/adapters", "server/shops/systems"].flatMap((parent) =>
    foldersIn(parent).map((name) => `${parent}/${name}`)
  ),
];

Deno.test("the server has these rooms, and its entry point as the only other file", () => {
  const entries = [...Deno.readDirSync(join(ROOT, "server"))].map(({ name }) => name);
  assert.deepEqual(
    entries.filter((name) => name !== "node_modules").toSorted(),
    [...ROOMS, "deno.json", "main.ts"].toSorted(),
  );
});

Deno.test("ARCHITECTURE.md lists the rooms in their order", () => {
  const page = Deno.readTextFileSync(join(ROOT, "ARCHITECTURE.md"));
  const listed = [...page.matchAll(/^\| \*\*`server\/(\w+)\/`\*\*/gm)].map(([, name]) => name);
  assert.deepEqual(listed, ROOMS);
});

Deno.test("a room imports only rooms below it", () => {
  const roomOf = (path: string) => ROOMS.indexOf(path.split("/")[1]!);
  const wrong = inside("server").flatMap((path) =>
    graph.get(path)!.filter(({ to }) => to.startsWith("server/") && roomOf(to) < roomOf(path))
      .map(({ to }) => `${path} imports ${to}`)
  );
  assert.deepEqual(wrong, []);
});

Deno.test(`a room has at most ${MOST_ENTRIES} entries`, () => {
  for (const room of ROOMS) {
    const entries = [...Deno.readDirSync(join(ROOT, "server", room))].filter(({ name }) => !TESTS.test(name));
    assert.ok(entries.length <= MOST_ENTRIES, `${room} has ${entries.length}`);
  }
});

Deno.test("the widget and the server share only `shared/`, which imports neither", () => {
  assert.equal(wayTo(graph, inside("widget"), within("server")), undefined);
  assert.equal(wayTo(graph, inside("server"), within("widget")), undefined);
  assert.equal(wayTo(graph, inside("shared"), within("server", "widget")), undefined);
});

Deno.test("the server renders HTML with Preact only", () => {
  const others = inside("server").filter((path) =>
    /"hono\/(html|jsx)/.test(Deno.readTextFileSync(join(ROOT, path)))
  );
  assert.deepEqual(others, []);
});

Deno.test("only the adapter of Deno KV names `Deno.Kv` and its types", () => {
  const others = inside("server").filter((path) =>
    path !== "server/platform/kv/engines/deno_kv.ts" &&
    /\bDeno\.(Kv|Atomic|openKv\((?!\)))/.test(Deno.readTextFileSync(join(ROOT, path)))
  );
  assert.deepEqual(others, []);
});

Deno.test("nothing imports the program's entry point", () => {
  assert.equal(wayTo(graph, paths, (path) => path === "server/main.ts"), undefined);
});

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

const foldersWithin = (folder: string): string[] => [
  folder,
  ...foldersIn(folder).flatMap((name) => foldersWithin(`${folder}/${name}`)),
];
const knotsIn = (folder: string, graph: Graph) =>
  foldersWithin(folder).flatMap((each) => cyclesOf(insideOf(each, graph)));

Deno.test("the entries of a folder have no import cycle, at any level of the server, including type imports", () => {
  assert.deepEqual(knotsIn("server", graph), []);
});

Deno.test("the entries of a folder of the admin have no import cycle, including their tests", () => {
  assert.deepEqual(knotsIn("server/admin", graphOf(sources("server/admin", true))), []);
});

Deno.test("only the files that assemble the program import `services.ts`", () => {
  const importers = paths.filter((path) =>
    graph.get(path)!.some(({ to }) => to === "server/program/services.ts")
  );
  assert.deepEqual(importers.sort(), [
    "server/program/app.ts",
    "server/program/bootstrap.ts",
    "server/program/program.ts",
  ]);
});

Deno.test("files have no import cycle, including type imports", () => {
  const unlisted: Graph = new Map([...graph].filter(([path]) => !Object.hasOwn(LISTED_CYCLES, path)));
  assert.deepEqual(cyclesOf(unlisted), []);
});

Deno.test("every kind of import is found, and type imports are recognized", () => {
  const text = `import a from "./a.ts"; import type b from "./b.ts"; import { type c } from "./c.ts";
    import { type d, e } from "./d.ts"; export * from "./e.ts"; export type { f } from "../f.ts";
    const g = await import("./g.ts"); let h: import("./h.ts").H; import "./i.ts"; import z from "zod";`;
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
