import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import ts from "typescript";

/**
 * A source check of the contract's "comparison is in constant time": no test of behavior can measure that without
 * being flaky. It reads every source of the server with TypeScript's own parser.
 */

const SERVER = fileURLToPath(new URL("../", import.meta.url));

/** Names of values that open something. */
const CREDENTIAL =
  /(secret|token|password|passphrase|apikey|secretkey|signature|nonce|bearer|credential|hmac|salt)s?$/i;

const EQUALITY = new Set([
  ts.SyntaxKind.EqualsEqualsToken,
  ts.SyntaxKind.EqualsEqualsEqualsToken,
  ts.SyntaxKind.ExclamationEqualsToken,
  ts.SyntaxKind.ExclamationEqualsEqualsToken,
]);

/** Methods that compare their argument with what they are called on, and stop at the first difference. */
const COMPARING = new Set(["includes", "indexOf", "startsWith", "endsWith", "localeCompare"]);

/** Comparisons of values that no client sends. */
const ALLOWED: Record<string, string> = {
  "admin/auth/session.ts: user.credential !== row.credential":
    "two stored values, found by the session's hash",
  "jobs/handler.ts: (entry.value as JobRow | null)?.lease?.token === token":
    "a fencing token, never sent out",
  'keys/keyring.ts: given.toString("base64url") !== signature': "the given signature with its own spelling",
  "ops/doctor/host.ts: tokens[0]!.body.token !== tokens[1]!.body?.token":
    "two tokens that the doctor has fetched",
  "provider/bluefox/webhook.ts: row.secretKey === wanted.secretKey": "the provider's answer with our setting",
  "provider/bluefox/webhook.ts: row.secretKey === key": "the provider's answer with our setting",
};

/** Each place where a credential of a client is checked, and the comparison that it must use; in one function, if named. */
const CHECKS: [file: string, credential: string, helper: string, within?: string][] = [
  ["confirm/hook_route.ts", "API key and webhook secret", "secretsEqual"],
  ["ops/routes.ts", "API token", "secretsEqual"],
  ["signup/integration_route.ts", "API token", "secretsEqual"],
  ["admin/auth/identify.ts", "API token", "secretsEqual"],
  ["admin/auth/users.ts", "the fixed admin's password", "secretsEqual"],
  ["admin/auth/set_up.ts", "setup link", "secretsEqual"],
  ["admin/auth/password.ts", "password", "timingSafeEqual"],
  ["admin/auth/nonce.ts", "admin nonce", "keyring.verify"],
  ["admin/auth/device.ts", "known browser", "keyring.verify"],
  ["keys/keyring.ts", "every signature", "timingSafeEqual", "verify"],
  ["keys/keyring.ts", "every secret", "timingSafeEqual", "secretsEqual"],
  ["carts/checkout_nonce.ts", "checkout nonce", "keyring.verify"],
  ["keys/form_token.ts", "fill-time token", "keyring.verify"],
  ["signup/form/signed_config.ts", "form configuration", "keyring.verify"],
  ["carts/links.ts", "links in mails", "keyring.verify"],
  ["shop/webhook_signature.ts", "a shop's signature", "secretsEqual"],
  ["shop/generic/signature.ts", "a shop's signature", "secretsEqual"],
  ["sandbox/api/routes.ts", "the sandbox's API key", "timingSafeEqual"],
];

/** Folders and files of tests that are called by others. */
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

function visit(node: ts.Node, see: (node: ts.Node) => void): void {
  see(node);
  node.forEachChild((child) => visit(child, see));
}

/** The last name of an expression: `apiKey` of `settings.general.apiKey!`. */
function lastName(node: ts.Expression): string {
  if (ts.isIdentifier(node)) return node.text;
  if (ts.isPropertyAccessExpression(node)) return node.name.text;
  if (ts.isElementAccessExpression(node) && ts.isStringLiteralLike(node.argumentExpression)) {
    return node.argumentExpression.text;
  }
  const wraps = ts.isNonNullExpression(node) || ts.isParenthesizedExpression(node) ||
    ts.isAsExpression(node) ||
    ts.isAwaitExpression(node);
  return wraps ? lastName(node.expression) : "";
}

/** Whether a value is written in the source, so that comparing with it gives no secret away. */
function isWritten(node: ts.Expression): boolean {
  return ts.isLiteralExpression(node) || node.kind === ts.SyntaxKind.NullKeyword ||
    lastName(node) === "undefined";
}

/** Comparisons of credentials that take longer the more of them is right. */
function leaks(path: string, text: string): string[] {
  const found: string[] = [];
  visit(parse(path, text), (node) => {
    if (ts.isBinaryExpression(node) && EQUALITY.has(node.operatorToken.kind)) {
      const sides = [node.left, node.right];
      if (sides.some(isWritten) || !sides.some((side) => CREDENTIAL.test(lastName(side)))) return;
    } else if (ts.isCallExpression(node) && ts.isPropertyAccessExpression(node.expression)) {
      const [argument] = node.arguments;
      if (!argument || !COMPARING.has(node.expression.name.text) || !CREDENTIAL.test(lastName(argument))) {
        return;
      }
    } else {
      return;
    }
    found.push(`${path}: ${node.getText()}`);
  });
  return found;
}

Deno.test("no credential is compared with an operator that stops at the first difference", async () => {
  const found: string[] = [];
  for (const path of await sources()) found.push(...leaks(path, await Deno.readTextFile(SERVER + path)));
  assert.deepEqual(found.toSorted(), Object.keys(ALLOWED).toSorted());
});

for (const [path, credential, helper, within] of CHECKS) {
  Deno.test(`${path} compares ${credential} in constant time`, async () => {
    const file = parse(path, await Deno.readTextFile(SERVER + path));
    const scopes: ts.Node[] = within === undefined ? [file] : [];
    const called: string[] = [];
    visit(file, (node) => {
      const named = ts.isFunctionDeclaration(node) || ts.isMethodDeclaration(node);
      if (named && node.name?.getText() === within) scopes.push(node);
    });
    for (const scope of scopes) {
      visit(scope, (node) => {
        if (ts.isCallExpression(node)) called.push(node.expression.getText());
      });
    }
    assert.ok(called.includes(helper), `${path} does not call ${helper} ${within ? `in ${within}` : ""}`);
  });
}

Deno.test("the check sees each way to compare a credential", () => {
  const seen = [
    "given === secret",
    "apiKey !== given",
    "c.req.header('x-cfbe-secret') == webhooks.secret",
    "settings.current().general.apiKey! != bearer",
    "(given as string) === row['token']",
    "known.includes(signature)",
    "previousSecret === given",
  ];
  for (const source of seen) assert.deepEqual(leaks("x.ts", source), [`x.ts: ${source}`]);
  const passed = [
    "secret === ''",
    "token === undefined",
    "null !== apiKey",
    "name === given",
    "list.includes(name)",
  ];
  for (const source of passed) assert.deepEqual(leaks("x.ts", source), []);
});
