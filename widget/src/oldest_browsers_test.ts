/** What the built widget uses is in the oldest browsers that it promises, by MDN's browser-compat-data. */
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import data from "@mdn/browser-compat-data" with { type: "json" };
import ts from "typescript";
import { OLDEST_BROWSERS } from "../oldest_browsers.ts";

/** What may be newer, and what happens without it. */
const GUARDED: Record<string, string> = {
  "checkVisibility": "called with `?.`",
  "light-dark()": "replaced by `colored()`",
  "contain-intrinsic-height": "in `@supports`; without it, a key lays out the page as well",
  "color-mix()": "replaced in `@supports not`",
  ":has": "asked for by CSS.supports, or only marks what is checked",
  "text-wrap": "lines break elsewhere",
  "animation-timeline": "no shadow at the lower edge",
  "scroll()": "no shadow at the lower edge",
  moveBefore: "asked for by Preact",
  dispose: "a property named `undefined` without it",
  attribution: "of the settings",
  format: "of `Intl.NumberFormat`, with units since Firefox 78 and Safari 14.1",
  image: "of a design",
  opened: "a text",
  yield: "called with `?.`",
};

interface Support {
  version_added?: string | boolean | null;
  flags?: unknown;
  prefix?: string;
}
interface Node {
  __compat?: { support: Record<string, Support | Support[]> };
  [name: string]: unknown;
}

const DIST = new URL("../dist/", import.meta.url);
const BROWSERS = { ...OLDEST_BROWSERS, safari_ios: OLDEST_BROWSERS.safari };

const isObject = (value: unknown): value is Node => typeof value === "object" && value !== null;
const child = (node: unknown, name: string): Node | undefined => {
  const found = isObject(node) && Object.hasOwn(node, name) ? node[name] : undefined;
  return isObject(found) ? found : undefined;
};

function isAtMost(version: string, most: string): boolean {
  const [a, b] = [version, most].map((text) => text.replace("≤", "").split(".").map(Number));
  for (let i = 0; i < Math.max(a!.length, b!.length); i++) {
    if ((a![i] ?? 0) !== (b![i] ?? 0)) return (a![i] ?? 0) < (b![i] ?? 0);
  }
  return true;
}

/** Returns the promised browsers that lack a feature. */
function lacking({ __compat }: Node): string[] {
  if (!__compat) return [];
  return Object.entries(BROWSERS).filter(([name, version]) => {
    const support = [__compat.support[name] ?? []].flat();
    return !support.some(({ version_added: added, flags, prefix }) =>
      !flags && !prefix && typeof added === "string" && added !== "preview" && isAtMost(added, version)
    );
  }).map(([name]) => name);
}

const INTERFACES = { ...child(data, "api"), ...child(child(data, "javascript"), "builtins") } as Node;
/** The interfaces of objects that scripts use by a name of their own. */
const OF_OBJECT: Record<string, string> = {
  document: "Document",
  navigator: "Navigator",
  performance: "Performance",
  location: "Location",
  crypto: "Crypto",
};

/** All features of interfaces by the name of the member; properties of CSS are members of a style. */
const members = new Map<string, Node[]>();
const CSS = child(data, "css")!;
for (const [name, feature] of Object.entries(child(CSS, "properties")!)) {
  if (isObject(feature)) members.set(name.replace(/-(.)/g, (_, letter) => letter.toUpperCase()), [feature]);
}
for (const of of Object.values(INTERFACES)) {
  if (!isObject(of)) continue;
  for (const [key, feature] of Object.entries(of)) {
    if (!isObject(feature) || !feature.__compat) continue;
    const name = key.replace(/_static$/, "");
    members.set(name, [...members.get(name) ?? [], feature]);
  }
}

const parse = (code: string) => ts.createSourceFile("built.js", code, ts.ScriptTarget.Latest, true);

/** Returns the names of members that scripts define themselves, in objects, classes and exports. */
function ownMembers(codes: string[]): Set<string> {
  const names = new Set<string>();
  const visit = (node: ts.Node): void => {
    if (
      (ts.isObjectLiteralElement(node) || ts.isClassElement(node) || ts.isExportSpecifier(node)) &&
      node.name && ts.isIdentifier(node.name)
    ) names.add(node.name.text);
    ts.forEachChild(node, visit);
  };
  for (const code of codes) visit(parse(code));
  return names;
}

/** Returns what a script uses that a promised browser lacks. @param own names of members that are not a browser's */
function missingInScript(code: string, own: ReadonlySet<string> = new Set()): string[] {
  const missing = new Set<string>();
  const check = (name: string, features: Node[]) => {
    const least = features.map(lacking).toSorted((a, b) => a.length - b.length)[0];
    if (least?.length) missing.add(`${name} (${least})`);
  };
  const visit = (node: ts.Node): void => {
    if (ts.isPropertyAccessExpression(node)) {
      const name = node.name.text;
      const object = ts.isIdentifier(node.expression) ? node.expression.text : "";
      const known = child(INTERFACES, OF_OBJECT[object] ?? object);
      const exact = known && (child(known, `${name}_static`) ?? child(known, name));
      // Shorter names are Preact's own.
      if (name.length > 1 && !Object.hasOwn(GUARDED, name)) {
        if (exact) check(`${object}.${name}`, [exact]);
        else if (!own.has(name)) check(`.${name}`, members.get(name) ?? []);
      }
    } else if (ts.isNewExpression(node) && ts.isIdentifier(node.expression)) {
      const known = child(INTERFACES, node.expression.text);
      if (known) check(node.expression.text, [known]);
    } else if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) {
      for (const name of missingInStyles(node.text)) missing.add(name);
    }
    ts.forEachChild(node, visit);
  };
  visit(parse(code));
  return [...missing];
}

/** All CSS functions by name. */
const functions = new Map<string, Node>();
function addFunctions(node: Node): void {
  for (const [name, value] of Object.entries(node)) {
    if (name === "__compat" || !isObject(value)) continue;
    if (value.__compat && !functions.has(name)) functions.set(name, value);
    addFunctions(value);
  }
}
addFunctions(child(CSS, "types")!);

/** Returns what a style sheet uses that a promised browser lacks. */
function missingInStyles(css: string): string[] {
  if (!/\{[^]*:[^]*\}/.test(css)) return [];
  const used: [name: string, feature: Node | undefined][] = [];
  const all = (pattern: RegExp) => [...css.matchAll(pattern)].map(([, name]) => name!);
  for (const name of all(/@([a-z-]+)/g)) used.push([`@${name}`, child(child(CSS, "at-rules"), name)]);
  for (const name of all(/([a-z-]+)\(/g)) used.push([`${name}()`, functions.get(name)]);
  for (const name of all(/[^:]::?([a-z-]+)(?=[^;}]*\{)/g)) {
    used.push([`:${name}`, child(child(CSS, "selectors"), name)]);
  }
  for (const name of all(/[{;]\s*([a-z-]+)\s*:/g)) used.push([name, child(child(CSS, "properties"), name)]);
  if (/[;}]\s*&/.test(css)) used.push(["nesting", child(child(CSS, "selectors"), "nesting")]);
  return used.filter(([name]) => !Object.hasOwn(GUARDED, name)).flatMap(([name, feature]) => {
    const browsers = feature ? lacking(feature) : [];
    return browsers.length ? [`${name} (${browsers})`] : [];
  });
}

Deno.test("every promised browser has what the built widget uses", () => {
  const files = ["cfbe.js", ...readdirSync(new URL("cfbe/", DIST)).map((name) => `cfbe/${name}`)];
  const codes = files.map((file) => readFileSync(new URL(file, DIST), "utf8"));
  const own = ownMembers(codes);
  for (const [i, code] of codes.entries()) assert.deepEqual(missingInScript(code, own), [], files[i]);
});

Deno.test("what a promised browser lacks is found in scripts and in styles", () => {
  assert.deepEqual(missingInScript("URL.parse(a); b.isWellFormed(); c.findLast(d); AbortSignal.timeout(1)"), [
    "URL.parse (chrome,edge,firefox,safari,safari_ios)",
    ".isWellFormed (chrome,edge,firefox)",
  ]);
  assert.deepEqual(
    missingInScript("x=`a{color:red;&:hover{field-sizing:content}}b:user-invalid{top:0}`").toSorted(),
    [
      ":user-invalid (chrome,edge,safari,safari_ios)",
      "field-sizing (chrome,edge,firefox,safari,safari_ios)",
      "nesting (chrome,edge,firefox,safari,safari_ios)",
    ],
  );
});
