import assert from "node:assert/strict";
import { relative } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";

const SERVER = fileURLToPath(new URL("../../../", import.meta.url));

/** Files that may open connections themselves, with the reason. */
const ALLOWED: Readonly<Record<string, string>> = {
  "platform/http/outbound/transport.ts": "the transport",
  "platform/http/listen/node_listener.ts": "accepts connections, and opens none",
  "platform/http/listen/watch_listener.ts": "connects to its own listener",
};

/** Not part of the running program: tests and test doubles. */
const NOT_AT_RUN_TIME = /_test\.ts$|(^|\/)testing\/|conformance\.ts$/;

const MODULES = /^(node:)?(https?|http2|net|tls|dgram)$|^(npm:)?(undici|axios|got|node-fetch|ky)\b/;
const GLOBALS = ["fetch", "WebSocket", "EventSource", "XMLHttpRequest"];
const DENO = ["createHttpClient", "connect", "connectTls", "connectQuic"];

Deno.test("the server sends requests only through the transport", async () => {
  const found: string[] = [];
  for (const path of await sources(SERVER)) {
    const name = relative(SERVER, path);
    if (NOT_AT_RUN_TIME.test(name) || name in ALLOWED) continue;
    found.push(...networkAccess(await Deno.readTextFile(path)).map((access) => `${name}: ${access}`));
  }
  assert.deepEqual(found, []);
});

/** Files that send requests with the transport, and to whom. */
const RECEIVERS: Readonly<Record<string, string>> = {
  "providers/http/json_client.ts": "the provider",
  "shops/systems/call.ts": "the shop",
  "settings/hooks/purge_urls.ts": "page caches that the settings name",
  "settings/hooks/varnish.ts": "page caches that the config file names",
  "sandbox/account/webhooks.ts": "webhooks of the sandbox, in the place of a provider",
  "admin/auth/oidc/client.ts": "the identity provider that the environment names",
  "operations/doctor/outside.ts": "cfbe itself, through its public URL",
};

Deno.test("requests go to the provider, the shop, the identity provider, page caches and cfbe itself, and to nobody else", async () => {
  const found: string[] = [];
  for (const path of await sources(SERVER)) {
    const name = relative(SERVER, path);
    if (NOT_AT_RUN_TIME.test(name) || /^platform\/http\//.test(name)) continue;
    const text = await Deno.readTextFile(path);
    if (/import \{[^}]*\bexchange\b[^}]*\} from "[^"]*http\/outbound\.ts"/.test(text)) found.push(name);
  }
  assert.deepEqual(found.toSorted(), Object.keys(RECEIVERS).toSorted());
});

Deno.test("every network access is found, and a parameter named fetch is not one", () => {
  const rows: [string, string[]][] = [
    ["await fetch(url)", ["fetch"]],
    ["run({ fetch })", ["fetch"]],
    ["const send = globalThis.fetch", ["globalThis.fetch"]],
    ["Deno.createHttpClient({})", ["Deno.createHttpClient"]],
    ["await Deno.connect({ port: 1 })", ["Deno.connect"]],
    ['import { request } from "node:http"', ["node:http"]],
    ['import type { Server } from "node:http"', []],
    ['await import("npm:undici@7")', ["npm:undici@7"]],
    ["new WebSocket(url)", ["WebSocket"]],
    ["const f = ({ fetch }: Deps) => fetch(url)", []],
    ["function f(fetch: Fetch) { return () => fetch(url) }", []],
    ["function f() { const { fetch } = deps; return fetch(url) }", []],
    ["app.fetch(request); const o = { fetch: send }; interface I { fetch: F }", []],
    ["function f(fetch: Fetch) {}\nfetch(url)", ["fetch"]],
  ];
  for (const [source, expected] of rows) assert.deepEqual(networkAccess(source), expected, source);
});

async function sources(folder: string): Promise<string[]> {
  const found: string[] = [];
  for await (const { name, isDirectory } of Deno.readDir(folder)) {
    if (isDirectory) found.push(...await sources(`${folder}${name}/`));
    else if (/\.tsx?$/.test(name)) found.push(folder + name);
  }
  return found.sort();
}

/** Returns the names of everything in a source that opens a network connection. */
function networkAccess(source: string): string[] {
  const file = ts.createSourceFile("x.tsx", source, ts.ScriptTarget.Latest, true, ts.ScriptKind.TSX);
  const found: string[] = [];
  const visit = (node: ts.Node) => {
    if (ts.isPropertyAccessExpression(node)) {
      const whole = `${node.expression.getText()}.${node.name.text}`;
      const opensConnection = DENO.some((name) => whole === `Deno.${name}`) ||
        GLOBALS.some((name) => whole === `globalThis.${name}`);
      if (opensConnection) found.push(whole);
    }
    if (ts.isImportDeclaration(node) && !node.importClause?.isTypeOnly) checkModule(node.moduleSpecifier);
    if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
      checkModule(node.arguments[0]);
    }
    if (ts.isIdentifier(node) && GLOBALS.includes(node.text) && isUse(node) && !isLocal(node)) {
      found.push(node.text);
    }
    ts.forEachChild(node, visit);
  };
  const checkModule = (specifier: ts.Node | undefined) => {
    if (specifier && ts.isStringLiteral(specifier) && MODULES.test(specifier.text)) {
      found.push(specifier.text);
    }
  };
  visit(file);
  return found;
}

/** Returns whether an identifier is used as a value, not as a member, a declaration or a type. */
function isUse(node: ts.Identifier): boolean {
  const { parent } = node;
  if (ts.isPropertyAccessExpression(parent)) return parent.expression === node;
  if (ts.isPropertyAssignment(parent)) return parent.initializer === node;
  if (ts.isVariableDeclaration(parent)) return parent.initializer === node;
  if (ts.isBindingElement(parent)) return parent.initializer === node;
  return !(ts.isParameter(parent) || ts.isTypeElement(parent) || ts.isTypeNode(parent) ||
    ts.isMethodDeclaration(parent) || ts.isImportSpecifier(parent) || ts.isJsxAttribute(parent));
}

/** Returns whether a function or block around the identifier declares its name. */
function isLocal(node: ts.Identifier): boolean {
  const declares = (name: ts.BindingName): boolean =>
    ts.isIdentifier(name)
      ? name.text === node.text
      : name.elements.some((element) => ts.isBindingElement(element) && declares(element.name));
  for (let scope: ts.Node = node.parent; scope; scope = scope.parent) {
    if (ts.isFunctionLike(scope) && scope.parameters.some(({ name }) => declares(name))) return true;
    if (!ts.isBlock(scope) && !ts.isSourceFile(scope)) continue;
    for (const statement of scope.statements) {
      if (!ts.isVariableStatement(statement)) continue;
      if (statement.declarationList.declarations.some(({ name }) => declares(name))) return true;
    }
  }
  return false;
}
