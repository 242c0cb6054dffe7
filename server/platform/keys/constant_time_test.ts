import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import ts from "typescript";

/**
 * Checks the contract's "compared in constant time" in the sources: a test that measured time would be flaky.
 * It parses every source file of the server, wherever that file is.
 */

const SERVER = fileURLToPath(new URL("../../", import.meta.url));

/** Names of values that grant access. */
const CREDENTIAL =
  /(secret|token|password|passphrase|apikey|secretkey|signature|nonce|bearer|credential|hmac|salt)s?$/i;

const EQUALITY = new Set([
  ts.SyntaxKind.EqualsEqualsToken,
  ts.SyntaxKind.EqualsEqualsEqualsToken,
  ts.SyntaxKind.ExclamationEqualsToken,
  ts.SyntaxKind.ExclamationEqualsEqualsToken,
]);

/** Methods that compare their argument with their receiver, and stop at the first difference. */
const COMPARING = new Set(["includes", "indexOf", "startsWith", "endsWith", "localeCompare"]);

/** A comment with this text and a reason, above or in the comparison, exempts it: no client can choose the values. */
const EXEMPT = "Not timing-sensitive:";

const HELPERS = /^(secretsEqual|timingSafeEqual|(\w+\.)?verify)$/;

/**
 * For each credential, an argument with which a helper that compares in constant time is called: a name or a
 * purpose.
 */
const CREDENTIALS: Record<string, string> = {
  "the API token": "apiToken",
  "the provider's API key": "apiKey",
  "the webhook secret": "secret",
  "the previous webhook secret": "previousSecret",
  "the proof of a service": "proof",
  "the fixed admin's password": "fixedPassword",
  "a user's password": "expected",
  "a setup link": "hash",
  "a shop's base64 signature": "base64Signature",
  "the generic shop's signature": "signOrder",
  "an admin nonce": "cfbe/admin-nonce",
  "a known browser": "cfbe/admin-device",
  "a checkout nonce": "cfbe/wp_rest",
  "a form token": "cfbe/form-token",
  "a form configuration": "cfbe/form-config",
  "a backup's salt": "cfbe/backup",
  "a link in a cart email": "purpose",
};

/** Folders and files that only tests use. */
const TESTS = /^(testing|guarantees|conformance)$|_test\.tsx?$|^conformance\.ts$/;

async function sources(folder = ""): Promise<string[]> {
  const found: string[] = [];
  for await (const { name, isDirectory } of Deno.readDir(SERVER + folder)) {
    if (TESTS.test(name)) continue;
    if (isDirectory) found.push(...await sources(`${folder}${name}/`));
    else if (/\.tsx?$/.test(name)) found.push(folder + name);
  }
  return found;
}

function parse(path: string, text: string): ts.SourceFile {
  return ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
}

function visit(node: ts.Node, each: (node: ts.Node) => void): void {
  each(node);
  node.forEachChild((child) => visit(child, each));
}

/** Returns the last name of an expression: `apiKey` of `settings.general.apiKey!`. */
function lastName(node: ts.Expression): string {
  if (ts.isIdentifier(node)) return node.text;
  if (ts.isPropertyAccessExpression(node)) return node.name.text;
  if (ts.isElementAccessExpression(node) && ts.isStringLiteralLike(node.argumentExpression)) {
    return node.argumentExpression.text;
  }
  if (ts.isCallExpression(node)) return lastName(node.expression);
  const wraps = ts.isNonNullExpression(node) || ts.isParenthesizedExpression(node) ||
    ts.isAsExpression(node) ||
    ts.isAwaitExpression(node);
  return wraps ? lastName(node.expression) : "";
}

/** Returns whether an expression is a constant, so that comparing with it reveals no secret. */
function isConstant(node: ts.Expression): boolean {
  return ts.isLiteralExpression(node) || node.kind === ts.SyntaxKind.NullKeyword ||
    lastName(node) === "undefined";
}

function isExempt(node: ts.Node): boolean {
  const lines = node.getSourceFile().text.slice(0, node.end).split("\n");
  const from = node.getSourceFile().getLineAndCharacterOfPosition(node.getStart()).line;
  return lines.slice(Math.max(0, from - 1)).some((line) => line.includes(EXEMPT));
}

/** Returns the comparisons of credentials whose time depends on how much of the value is right. */
function leaks(path: string, text: string): string[] {
  const found: string[] = [];
  visit(parse(path, text), (node) => {
    if (ts.isBinaryExpression(node) && EQUALITY.has(node.operatorToken.kind)) {
      const sides = [node.left, node.right];
      if (sides.some(isConstant) || !sides.some((side) => CREDENTIAL.test(lastName(side)))) return;
    } else if (ts.isCallExpression(node) && ts.isPropertyAccessExpression(node.expression)) {
      const [argument] = node.arguments;
      if (!argument || !COMPARING.has(node.expression.name.text) || !CREDENTIAL.test(lastName(argument))) {
        return;
      }
    } else {
      return;
    }
    if (!isExempt(node)) found.push(`${path}: ${node.getText()}`);
  });
  return found;
}

/** Returns the names and purposes that are passed to a helper that compares in constant time. */
function comparedSafely(path: string, text: string): string[] {
  const found: string[] = [];
  visit(parse(path, text), (node) => {
    if (!ts.isCallExpression(node) || !HELPERS.test(node.expression.getText())) return;
    for (const argument of node.arguments) {
      found.push(ts.isStringLiteralLike(argument) ? argument.text : lastName(argument));
    }
  });
  return found;
}

Deno.test("no credential is compared with an operator that stops at the first difference", async () => {
  const found: string[] = [];
  for (const path of await sources()) found.push(...leaks(path, await Deno.readTextFile(SERVER + path)));
  assert.deepEqual(found, []);
});

Deno.test("every kind of credential is compared in constant time", async () => {
  const compared = new Set<string>();
  for (const path of await sources()) {
    for (const name of comparedSafely(path, await Deno.readTextFile(SERVER + path))) compared.add(name);
  }
  const unchecked = Object.keys(CREDENTIALS).filter((credential) => !compared.has(CREDENTIALS[credential]!));
  assert.deepEqual(unchecked, []);
});

Deno.test("signatures and secrets are compared by timingSafeEqual", async () => {
  const text = await Deno.readTextFile(new URL("keyring.ts", import.meta.url));
  const callers: string[] = [];
  visit(parse("keyring.ts", text), (node) => {
    if (!ts.isFunctionDeclaration(node) && !ts.isMethodDeclaration(node)) return;
    const calls: string[] = [];
    visit(node.body!, (inner) => {
      if (ts.isCallExpression(inner)) calls.push(inner.expression.getText());
    });
    if (calls.includes("timingSafeEqual")) callers.push(node.name!.getText());
  });
  for (const name of ["verifies", "secretsEqual"]) assert.ok(callers.includes(name), name);
});

Deno.test("the check finds every way to compare a credential", () => {
  const unsafe = [
    "given === secret",
    "apiKey !== given",
    "c.req.header('x-cfbe-secret') == webhooks.secret",
    "settings.current().general.apiKey! != bearer",
    "(given as string) === row['token']",
    "known.includes(signature)",
    "previousSecret === given",
  ];
  for (const source of unsafe) assert.deepEqual(leaks("x.ts", source), [`x.ts: ${source}`]);
  const safe = [
    "// Not timing-sensitive: both are stored.\nuser.credential === row.credential",
    "secret === ''",
    "token === undefined",
    "null !== apiKey",
    "name === given",
    "list.includes(name)",
  ];
  for (const source of safe) assert.deepEqual(leaks("x.ts", source), []);
});
