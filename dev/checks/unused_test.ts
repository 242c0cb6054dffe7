import assert from "node:assert/strict";
import { basename, dirname, join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";

/**
 * Checks that every file and every exported value is used elsewhere. Types are not checked, because they
 * belong to what they describe.
 */

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const FOLDERS = ["bridge", "dev", "e2e", "server", "shared", "widget"];
const SKIPPED = /^(dist|dist-npm|node_modules|react_app|plugin)$/;

/** Started by `deno test`, or by a task that finds files by this ending. */
const STARTED = /_(test|host)\.tsx?$/;
/** Vite finds its own config; e2e/deploy/instance.ts composes the other names. */
const FOUND = new Set(["widget/vite.config.ts", "e2e/deploy/no_cron.ts", "e2e/deploy/no_peer.ts"]);
/** Exports for users of cfbe. */
const PUBLIC = new Set(["server/settings/hooks/config_file.ts#defineConfig", "widget/npm/react.ts#CfbeForm"]);
/** Exports that `deno task test:vendor-specs` imports from each adapter. */
const BY_TASK = /\/testing\/vendor_spec\.ts#vendorSpec$/;

function sources(folder: string): string[] {
  return [...Deno.readDirSync(join(ROOT, folder))].flatMap(({ name, isDirectory }) => {
    const path = `${folder}/${name}`;
    if (isDirectory) return SKIPPED.test(name) ? [] : sources(path);
    return /(?<!\.d)\.tsx?$/.test(name) ? [path] : [];
  });
}

/** The names that a file exports and imports: `path#name`, or `path#*` for all names of a file. */
interface Names {
  exports: string[];
  imports: string[];
}

function isExported(node: ts.Node): boolean {
  return ts.canHaveModifiers(node) &&
    (ts.getModifiers(node) ?? []).some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword);
}

function exportsOf(node: ts.Node): string[] {
  if (!isExported(node)) return [];
  if (ts.isVariableStatement(node)) {
    return node.declarationList.declarations.flatMap(({ name }) => ts.isIdentifier(name) ? [name.text] : []);
  }
  return (ts.isFunctionDeclaration(node) || ts.isClassDeclaration(node)) && node.name ? [node.name.text] : [];
}

/** Returns the names in an import, a re-export or an `import()`, with the module they come from. */
function importsOf(node: ts.Node): { from: ts.Node | undefined; names: string[] } {
  if (ts.isImportDeclaration(node)) {
    const bindings = node.importClause?.namedBindings;
    const names = bindings && ts.isNamedImports(bindings)
      ? bindings.elements.map(({ propertyName, name }) => (propertyName ?? name).text)
      : ["*"];
    return { from: node.moduleSpecifier, names };
  }
  if (ts.isExportDeclaration(node)) {
    const clause = node.exportClause;
    const names = clause && ts.isNamedExports(clause)
      ? clause.elements.map(({ propertyName, name }) => (propertyName ?? name).text)
      : ["*"];
    return { from: node.moduleSpecifier, names };
  }
  if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) {
    return { from: node.argument.literal, names: ["*"] };
  }
  const isImportCall = ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword;
  return { from: isImportCall ? node.arguments[0] : undefined, names: ["*"] };
}

function namesOf(path: string, text: string): Names {
  const found: Names = { exports: [], imports: [] };
  const visit = (node: ts.Node): void => {
    found.exports.push(...exportsOf(node).map((name) => `${path}#${name}`));
    const { from, names } = importsOf(node);
    if (from && ts.isStringLiteralLike(from) && from.text.startsWith(".")) {
      const target = relative(ROOT, join(ROOT, dirname(path), from.text)).replaceAll(sep, "/");
      found.imports.push(`${target}#`, ...names.map((name) => `${target}#${name}`));
    }
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(path, text, ts.ScriptTarget.Latest));
  return found;
}

const texts = new Map(
  ["deno.json", ...FOLDERS.flatMap(sources)].map((path) => [path, Deno.readTextFileSync(join(ROOT, path))]),
);
const paths = [...texts.keys()].filter((path) => path !== "deno.json");
const all = paths.map((path) => namesOf(path, texts.get(path)!));
const imported = new Set(all.flatMap(({ imports }) => imports));

Deno.test("every exported function, class and constant is imported by another file", () => {
  const unused = all.flatMap(({ exports }) => exports).filter((name) =>
    !imported.has(name) && !imported.has(name.replace(/#.*/, "#*")) && !PUBLIC.has(name) &&
    !BY_TASK.test(name)
  );
  assert.deepEqual(unused, [], "remove the word `export`, or the code");
});

Deno.test("every file is imported by another, named in another, or started by a test", () => {
  const isNamed = (path: string) =>
    [...texts].some(([other, text]) => other !== path && text.includes(basename(path)));
  const used = (path: string) =>
    imported.has(`${path}#`) || STARTED.test(path) || FOUND.has(path) || isNamed(path);
  assert.deepEqual(paths.filter((path) => !used(path)), [], "delete the file");
});
