import assert from "node:assert/strict";
import type { ListedToken } from "../../platform/tokens/store.ts";
import { cfbe, runningService, withFolder } from "../testing/cli.ts";

const FORMAT = /^cfbe_[0-9a-f]{10}_[\w-]{43}$/;

Deno.test("the command line creates a token and prints it alone, lists it without its value, and revokes it", async () => {
  await using program = await runningService({ run: false });
  const env = program.shell;
  assert.equal((await cfbe({ env }, "tokens", "list")).out, "No API tokens yet.");
  const added = await cfbe({ env }, "tokens", "add", "shop", "--scope", "signup", "--scope", "read");
  assert.equal(added.code, 0, added.err);
  assert.match(added.out, FORMAT);
  assert.match(added.err, /created\. Copy it now/);
  const json = await cfbe({ env }, ...[
    "tokens",
    "add",
    "bot",
    "--scope",
    "read",
    "--expires",
    "never",
    "--json",
  ]);
  const { token, ...data } = JSON.parse(json.out);
  assert.match(token, FORMAT);
  assert.deepEqual(Object.keys(data).toSorted(), ["id", "name", "scopes"]);
  const list = await cfbe({ env }, "tokens", "list");
  assert.match(list.out, /^name +id +scopes +created +by +expires +last used\n/);
  assert.match(list.out, /shop +[0-9a-f]{10} +read signup +\d{4}-.* command line +\d{4}-.* never$/m);
  const all = JSON.parse((await cfbe({ env }, "tokens", "list", "--json")).out) as ListedToken[];
  assert.deepEqual(all.map(({ name }) => name).toSorted(), ["bot", "shop"]);
  assert.ok(!list.out.includes(added.out.slice(-43)) && !JSON.stringify(all).includes("hash"));

  const asked = await cfbe({ env }, "tokens", "revoke", "shop");
  assert.deepEqual([asked.code, /Run again with --yes/.test(asked.err)], [2, true]);
  assert.match((await cfbe({ env }, "tokens", "revoke", "shop", "--yes")).out, /^API token shop revoked\./);
  assert.equal((await cfbe({ env }, "tokens", "revoke", data.id, "--yes")).code, 0);
  assert.equal((await cfbe({ env }, "tokens", "revoke", "shop", "--yes")).code, 3);
});

Deno.test("commands with a wrong scope, date or name say what is wrong, and create nothing", async () => {
  await using program = await runningService({ run: false });
  const env = program.shell;
  const run = async (...args: string[]) => {
    const { code, err } = await cfbe({ env }, "tokens", "add", ...args);
    return [code, err] as const;
  };
  const cases: [string[], number, RegExp][] = [
    [["shop"], 2, /--scope/],
    [["shop", "--scope", "all"], 2, /Must be one of read, signup, operate, people, admin/],
    [["shop", "--scope", "read", "--expires", "2001-01-01"], 1, /expires: Enter a day that is not over yet/],
    [["shop\u001b[2J", "--scope", "read"], 1, /name: Must be letters/],
  ];
  for (const [args, code, message] of cases) {
    const [actual, err] = await run(...args);
    assert.equal(actual, code, args.join(" "));
    assert.match(err, message);
    assert.ok(!err.includes("\u001b"));
  }
  assert.deepEqual(await program.services.apiTokens.list(), []);
});

Deno.test("the command line works with a token of limited scopes, and names the scope that is missing", async () => {
  await using program = await runningService({ run: false });
  const added = await cfbe({ env: program.shell }, "tokens", "add", "reader", "--scope", "read");
  const env = { ...program.shell, CFBE_API_TOKEN: added.out };
  assert.equal((await cfbe({ env }, "webhook", "status")).code, 0);
  const erased = await cfbe({ env }, "erase", "ann@example.com", "--yes");
  assert.equal(erased.code, 1);
  assert.match(erased.err, /lacks the scope "people"/);
  assert.match((await cfbe({ env }, "status", "ann@example.com")).err, /403.*lacks the scope "people"/);
  await cfbe({ env: program.shell }, "tokens", "revoke", "reader", "--yes");
  const revoked = await cfbe({ env }, "webhook", "status");
  assert.equal(revoked.code, 1);
  assert.match(revoked.err, /the token was not sent.*neither expired nor revoked/s);
});

Deno.test("without a running service, tokens are created in the database, and work once it runs", () =>
  withFolder(async (env) => {
    await cfbe({ env, input: "correct horse battery" }, "users", "add", "ada", "--role", "admin", "--stdin");
    const added = await cfbe({ env }, "tokens", "add", "shop", "--scope", "read");
    assert.match(added.out, FORMAT);
    await using program = await runningService({ run: false, env: { CFBE_KV: env["CFBE_KV"]! } });
    const { code, err } = await cfbe(
      { env: { ...program.shell, CFBE_API_TOKEN: added.out } },
      "webhook",
      "status",
    );
    assert.equal(code, 0, err);
  }));
