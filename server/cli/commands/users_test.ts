import assert from "node:assert/strict";
import { emptyUsers, usersKey } from "../../admin/auth/users.ts";
import { readRow } from "../../platform/kv/key.ts";
import { openKv } from "../../platform/kv/open.ts";
import type { Kv } from "../../platform/kv/port.ts";
import { cfbe, runningService, withFolder } from "../testing/cli.ts";

const PASSWORD = "correct horse battery";
const SECOND = "another staple of words";

Deno.test("a locked-out admin gets a new password from the command line, which never takes it as an argument", () =>
  withFolder(async (env) => {
    const add = await cfbe({ env, input: PASSWORD }, "users", "add", "ada", "--role", "admin", "--stdin");
    assert.deepEqual([add.code, add.out], [0, "ada can now sign in."], add.err);
    const argument = await cfbe({ env }, "users", "password", "ada", SECOND);
    assert.equal(argument.code, 2);
    const missing = await cfbe({ env }, "users", "password", "ada");
    assert.deepEqual([missing.code, /--stdin/.test(missing.err)], [2, true]);
    const short = await cfbe({ env, input: "short" }, "users", "password", "ada", "--stdin");
    assert.deepEqual([short.code, /10 characters or more/.test(short.err)], [1, true]);

    const changed = await cfbe({ env, input: SECOND }, "users", "password", "ada", "--stdin");
    assert.deepEqual([changed.code, /^Password of ada changed/.test(changed.out)], [0, true], changed.err);
    const unknown = await cfbe({ env, input: SECOND }, "users", "password", "nobody", "--stdin");
    assert.equal(unknown.code, 3);
  }));

Deno.test("the command line prints links for invitations and new passwords, lists and revokes them", async () => {
  await using program = await runningService({ run: false });
  const env = program.shell;
  const invited = await cfbe({ env }, "users", "invite", "ada", "--role", "admin");
  const [sentence, link, ...more] = invited.out.split("\n");
  assert.match(
    sentence!,
    /^Invitation for ada created\. Send them the link\. It works once, until \d{4}-.*:$/,
  );
  assert.match(link!, /^http:\/\/\S+\/admin\/invitation#[\w-]{43}$/);
  assert.deepEqual([invited.code, more], [0, []]);
  const listed = await cfbe({ env }, "users", "links");
  assert.match(
    listed.out,
    /^name +kind +role +created by +valid until\nada +invitation +admin +command line +\d{4}-/,
  );
  assert.ok(!listed.out.includes(link!.split("#")[1]!));
  const [row] = JSON.parse((await cfbe({ env }, "users", "links", "--json")).out);
  assert.deepEqual(Object.keys(row).toSorted(), ["by", "expiresAt", "kind", "name", "role"]);
  assert.equal((await cfbe({ env }, "users", "revoke", "ada")).out, "The link for ada no longer works.");
  assert.equal((await cfbe({ env }, "users", "links")).out, "No open links.");

  await cfbe({ env, input: PASSWORD }, "users", "add", "ada", "--role", "admin", "--stdin");
  const reset = await cfbe({ env }, "users", "reset", "ada");
  assert.match(reset.out, /\nhttp:\/\/\S+\/admin\/new-password#[\w-]{43}$/);
  assert.equal((await cfbe({ env }, "users", "reset", "nobody")).code, 3);
  assert.equal((await cfbe({ env }, "users", "invite", "ada")).code, 1, "the name is taken");
});

Deno.test("users are listed, get another role and are removed, but the last admin stays", async () => {
  await using program = await runningService({ run: false });
  const env = program.shell;
  assert.deepEqual(await cfbe({ env }, "users", "list"), { code: 0, out: "No users yet.", err: "" });
  await cfbe({ env, input: PASSWORD }, "users", "add", "ada", "--role", "admin", "--stdin");
  await cfbe({ env, input: PASSWORD }, "users", "add", "ben", "--stdin");
  const listed = async () => JSON.parse((await cfbe({ env }, "users", "list", "--json")).out);
  const roles = async () =>
    (await listed()).map(({ name, role }: Record<string, string>) => `${name} ${role}`);
  assert.deepEqual(await roles(), ["ada admin", "ben viewer"]);
  assert.deepEqual(Object.keys((await listed())[0]).toSorted(), [
    "createdAt",
    "fixed",
    "hasPassword",
    "name",
    "passkeys",
    "role",
    "secondFactor",
    "sessions",
  ]);
  assert.match(
    (await cfbe({ env }, "users", "list")).out,
    /^name +role +added +sessions +second factor +passkeys\nada +admin +\d{4}-.* 0 +no +0\n/,
  );

  assert.equal((await cfbe({ env }, "users", "role", "ada", "viewer")).code, 1, "the last admin");
  assert.equal((await cfbe({ env }, "users", "role", "ben", "king")).code, 2);
  assert.equal((await cfbe({ env }, "users", "role", "ben", "admin")).code, 0);
  const signedOut = await cfbe({ env }, "users", "sign-out", "ben");
  assert.deepEqual([signedOut.code, signedOut.out], [0, "ben was signed out on all devices."]);
  assert.equal((await cfbe({ env }, "users", "sign-out", "nobody")).code, 3);
  assert.equal((await cfbe({ env }, "users", "remove", "ada")).code, 2, "it asks first");
  const nobody = await cfbe({ env }, "users", "remove", "nobody");
  assert.equal(nobody.err, "There is no user with this name.");
  assert.doesNotMatch(nobody.err, /--yes/, "it asks nothing about a user that does not exist");
  assert.equal((await cfbe({ env }, "users", "remove", "ada", "--yes")).code, 0);
  assert.deepEqual(await roles(), ["ben admin"]);
});

/** Turns passwords off, which only a signed-in admin can do. */
async function turnPasswordsOff(kv: Kv): Promise<void> {
  const row = await readRow(kv, usersKey()) ?? emptyUsers();
  await kv.set(usersKey(), { ...row, passwordsOffSince: 1 });
}

Deno.test("if nobody can sign in without a password, the command line turns passwords on, also while cfbe is stopped", () =>
  withFolder(async (env) => {
    await cfbe({ env, input: PASSWORD }, "users", "add", "ada", "--role", "admin", "--stdin");
    const unchanged = await cfbe({ env }, "users", "enable-passwords");
    assert.deepEqual([unchanged.code, unchanged.out], [0, "Passwords are turned on already."], unchanged.err);
    const opened = await openKv(env["CFBE_KV"]!);
    await turnPasswordsOff(opened.kv);
    await opened.close();
    const refused = await cfbe({ env, input: SECOND }, "users", "password", "ada", "--stdin");
    assert.deepEqual([refused.code, /Passwords are turned off/.test(refused.err)], [1, true], refused.err);
    const done = await cfbe({ env }, "users", "enable-passwords");
    assert.deepEqual([done.code, /^Passwords are turned on\./.test(done.out)], [0, true], done.err);
    assert.equal((await cfbe({ env, input: SECOND }, "users", "password", "ada", "--stdin")).code, 0);
    assert.match((await cfbe({ env }, "audit", "export")).out, /cfbe_enable_passwords/);
  }));

Deno.test("the command line turns passwords on in a running service, whose next sign-in accepts them", async () => {
  await using program = await runningService({ run: false });
  const env = program.shell;
  await cfbe({ env, input: PASSWORD }, "users", "add", "ada", "--role", "admin", "--stdin");
  await turnPasswordsOff(program.services.kv);
  const signIn = async () => {
    const response = await fetch(`${program.baseUrl}/admin/login`, {
      method: "POST",
      redirect: "manual",
      headers: { origin: program.baseUrl },
      body: new URLSearchParams({ name: "ada", password: PASSWORD }),
    });
    await response.body?.cancel();
    return response.status;
  };
  assert.equal(await signIn(), 403);
  assert.equal((await cfbe({ env }, "users", "enable-passwords")).code, 0);
  assert.equal(await signIn(), 303);
  const { rows } = await program.services.admin.audit.list({ actions: ["cfbe_enable_passwords"] });
  assert.deepEqual(rows.map(({ result }) => result), ["done"]);
});
