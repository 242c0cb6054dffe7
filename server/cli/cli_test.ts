import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { bootstrap } from "../bootstrap.ts";
import { createKeyring } from "../keys/keyring.ts";
import { readFormConfig } from "../signup/form_config.ts";
import { startProgram } from "../testing/program.ts";

const SALT = "a salt for tests, long enough to be one";
const TOKEN = "a-token-for-the-command-line";
const MAIN = fileURLToPath(new URL("./main.ts", import.meta.url));
const CONFIG = fileURLToPath(new URL("../../deno.json", import.meta.url));

async function cfbe(env: Record<string, string>, ...args: string[]) {
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--config", CONFIG, MAIN, ...args],
    env: { NO_COLOR: "1", CFBE_SALT: SALT, CFBE_API_TOKEN: TOKEN, ...env },
  }).output();
  const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
  return { code, out: text(stdout), err: text(stderr) };
}

Deno.test("with the service running, the command line asks it, by its API token", async () => {
  await using program = await startProgram({ env: { CFBE_SALT: SALT, CFBE_API_TOKEN: TOKEN } });
  const env = { PORT: new URL(program.baseUrl).port };
  const signup = await program.subscribe({ email: "ann@example.com" });
  assert.equal((await signup.json()).code, "pending");
  await program.runner.idle();

  const status = await cfbe(env, "status", "ann@example.com", "--json");
  assert.equal(status.code, 0, status.err);
  assert.equal(JSON.parse(status.out)[0].record.status, "pending");
  assert.match(
    (await cfbe(env, "status", "Ann@Example.com")).out,
    /^ann@example\.com on list .*: pending since/,
  );

  const unknown = await cfbe(env, "status", "nobody@example.com");
  assert.deepEqual([unknown.code, unknown.out], [3, "No signup of nobody@example.com is known here.\n"]);

  const poll = await cfbe(env, "poll", "--json");
  assert.deepEqual([poll.code, JSON.parse(poll.out).lists], [0, 1]);

  const refused = await cfbe({ ...env, CFBE_API_TOKEN: "some-other-token-but-long" }, "poll");
  assert.equal(refused.code, 1);
  assert.match(refused.err, /answered 401.*Set CFBE_API_TOKEN/);
});

Deno.test("with no service running, the command line opens the database itself", async () => {
  const folder = await Deno.makeTempDir();
  try {
    const env = { CFBE_KV: `${folder}/cfbe.kv`, PORT: "1", CFBE_SALT: SALT };
    const poll = await cfbe(env, "poll");
    assert.deepEqual([poll.code, poll.out], [
      0,
      "0 lists looked at with 0 calls: 0 confirmed, 0 failed, 0 expired.\n",
    ]);

    const sign = await cfbe(env, "sign", "--list", "l1", "--tag", "a", "--tag", "b", "--placement", "footer");
    assert.deepEqual(readFormConfig(createKeyring([SALT]), sign.out.trim()), {
      list: "l1",
      tags: ["a", "b"],
      placement: "footer",
    });

    const owner = await bootstrap(env, { write: () => {} });
    const silent = await cfbe(env, "poll");
    await owner.close(0);
    assert.equal(silent.code, 1);
    assert.match(
      silent.err,
      /has the database .* open but does not answer at http:\/\/localhost:1\. Set PORT/,
    );
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("what is typed wrong is told with exit code 2, wrong configuration with 1, never with a stack trace", async () => {
  for (const args of [["status"], ["nonsense"], ["sign", "--locale", "!!"], ["poll", "--fast"]]) {
    const { code, err } = await cfbe({}, ...args);
    assert.equal(code, 2, args.join(" "));
    assert.match(err, /^error: /);
    assert.doesNotMatch(err, /\.ts:\d/);
  }
  const { code, err } = await cfbe({ PORT: "nine", CFBE_PROVIDER: "pigeon" }, "poll");
  assert.equal(code, 1);
  assert.match(err, /PORT must be a whole number[^]*CFBE_PROVIDER must be sandbox or bluefox/);
  assert.doesNotMatch(err, /\.ts:\d/);
});
