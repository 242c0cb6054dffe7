import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { bootstrap } from "../program/bootstrap.ts";
import { createKeyring } from "../platform/keys/keyring.ts";
import { readFormConfig } from "../forms/public/signed_config.ts";
import { VERSION } from "../../shared/version.ts";
import { cfbe, runningService, SALT, withFolder } from "./testing/cli.ts";

const MAIN = fileURLToPath(new URL("./main.ts", import.meta.url));
const CONFIG = fileURLToPath(new URL("../../deno.json", import.meta.url));

/** Runs the command line as a process of its own. */
async function spawned(env: Record<string, string>, ...args: string[]) {
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--config", CONFIG, MAIN, ...args],
    env: { NO_COLOR: "1", CFBE_SALT: SALT, ...env },
  }).output();
  const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
  return { code, out: text(stdout), err: text(stderr) };
}

Deno.test("the command line uses the API of a running service, with the API token", async () => {
  await using program = await runningService();
  const env = program.shell;
  await (await program.subscribe({ email: "ann@example.com" })).body?.cancel();
  await program.runner.idle();

  const status = await cfbe({ env }, "status", "ann@example.com", "--json");
  assert.equal(status.code, 0, status.err);
  assert.equal(JSON.parse(status.out)[0].record.status, "pending");
  const shown = await cfbe({ env }, "status", "Ann@Example.com");
  assert.match(shown.out, /^ann@example\.com on list .*: pending since/);

  const unknown = await cfbe({ env }, "status", "nobody@example.com");
  assert.deepEqual([unknown.code, unknown.out], [3, "No signup found for nobody@example.com."]);
  assert.deepEqual(await cfbe({ env }, "status", "nobody"), {
    code: 2,
    out: "",
    err: "`email` must be an email address.",
  });

  const poll = await cfbe({ env }, "poll", "--json");
  assert.deepEqual([poll.code, JSON.parse(poll.out).lists], [0, 1]);

  for (const args of [["poll"], ["activate"]]) {
    const refused = await cfbe({ env: { ...env, CFBE_API_TOKEN: "some-other-token-but-long" } }, ...args);
    assert.equal(refused.code, 1);
    assert.match(refused.err, /Set CFBE_API_TOKEN/);
  }
});

Deno.test("the command line opens the database if no service is running", () =>
  withFolder(async (env) => {
    assert.equal((await cfbe({ env }, "users", "invite", "grace", "--role", "admin")).code, 0);
    const poll = await spawned(env, "poll");
    assert.deepEqual([poll.code, poll.out], [
      0,
      "Checked 0 lists with 0 calls: 0 confirmed, 0 failed, 0 expired.\n",
    ]);
    const sign = await cfbe(
      { env },
      "sign",
      "--list",
      "l1",
      "--tag",
      "a",
      "--tag",
      "b",
      "--placement",
      "footer",
    );
    assert.deepEqual(readFormConfig(createKeyring([SALT]), sign.out), {
      list: "l1",
      tags: ["a", "b"],
      placement: "footer",
    });
    const owner = await bootstrap({ ...env, CFBE_SALT: SALT }, { write: () => {} });
    const silent = await cfbe({ env }, "poll");
    await owner.close(0);
    assert.equal(silent.code, 1);
    assert.match(
      silent.err,
      /Another process has .* open, but nothing responds at http:\/\/localhost:1\. Set PORT/,
    );
  }));

Deno.test("a usage error exits with 2 and invalid configuration with 1, without a stack trace", async () => {
  const wrong = [
    ["status"],
    ["nonsense"],
    ["sign", "--locale", "!!"],
    ["poll", "--fast"],
    ["signups", "--status", "odd"],
    ["jobs", "--limit", "0"],
  ];
  for (const args of wrong) {
    const { code, err } = await cfbe({}, ...args);
    assert.equal(code, 2, args.join(" "));
    assert.match(err, /^error: /);
  }
  for (const group of [[], ["lists"], ["webhook"], ["settings"]]) {
    const { code, err } = await cfbe({}, ...group);
    assert.deepEqual([code, /^Usage: cfbe/.test(err)], [2, true], group.join());
  }
  const { code, err } = await spawned({ PORT: "nine", CFBE_PROVIDER: "pigeon" }, "poll");
  assert.equal(code, 1);
  assert.match(err, /PORT must be a whole number[^]*CFBE_PROVIDER must be sandbox, bluefox, /);
  assert.doesNotMatch(err, /\.ts:\d/);
});

Deno.test("an irreversible command asks for confirmation, and changes nothing if the answer is no or there is no terminal", async () => {
  await using program = await runningService();
  const env = program.shell;
  const unattended = await cfbe({ env }, "deactivate");
  assert.deepEqual([unattended.code, /with --yes/.test(unattended.err)], [2, true]);
  assert.deepEqual((await cfbe({ env, answer: false }, "deactivate")).code, 1);
  assert.ok(program.services.activation.isActive());
  assert.match((await cfbe({ env, answer: true }, "deactivate")).out, /^Deactivated cfbe/);
  assert.ok(!program.services.activation.isActive());
  assert.match((await cfbe({ env }, "activate")).out, /^Activated cfbe/);
});

Deno.test("the version is printed", async () => {
  assert.deepEqual(await cfbe({}, "--version"), { code: 0, out: VERSION, err: "" });
});

Deno.test("signing an unknown form or list prints a warning", async () => {
  await using program = await runningService();
  const env = program.shell;
  const known = await cfbe({ env }, "sign", "--form", "footer");
  assert.deepEqual([known.code, known.err], [0, ""]);
  const unknown = await cfbe({ env }, "sign", "--form", "nosuch", "--list", "nolist");
  assert.equal(unknown.code, 0);
  assert.ok(readFormConfig(createKeyring([SALT]), unknown.out));
  assert.match(unknown.err, /no form named nosuch; .* Forms: footer\.\n/);
  assert.match(unknown.err, /The list nolist is not loaded/);
});

Deno.test("an invalid address is a usage error in every command", async () => {
  await using program = await runningService();
  for (const args of [["status", "nobody"], ["export", "nobody"], ["erase", "nobody", "--yes"]]) {
    const { code, err } = await cfbe({ env: program.shell }, ...args);
    assert.deepEqual([code, /must be an email address/.test(err)], [2, true], args.join(" "));
  }
});
