import assert from "node:assert/strict";

/** The real process, when it can't start: one message for an operator, exit code 1, no stack. */

const MAIN = new URL("./main.ts", import.meta.url).pathname;

async function start(env: Record<string, string>, cwd: string) {
  const command = new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--no-lock", "--config", new URL("../deno.json", import.meta.url).pathname, MAIN],
    cwd,
    env,
    stdout: "piped",
    stderr: "piped",
  });
  const { code, stdout, stderr } = await command.output();
  return { code, out: new TextDecoder().decode(stdout), err: new TextDecoder().decode(stderr) };
}

async function inFolder(test: (folder: string) => Promise<void>) {
  const folder = await Deno.makeTempDir({ prefix: "cfbe-main-" });
  try {
    await test(folder);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

Deno.test("everything wrong with environment and config file is one message, without a stack, and exit code 1", () =>
  inFolder(async (folder) => {
    await Deno.writeTextFile(
      `${folder}/elsewhere.ts`,
      `export default {
        actions: { cfbe_subscribe() {} },
        filters: { cfbe_client_ip: "1.2.3.4" },
        settings: { general: { originz: [] }, privacy: { trustedHops: "two" } },
        extra: 1,
      };`,
    );
    const { code, err } = await start({
      CFBE_CONFIG: `${folder}/elsewhere.ts`,
      PORT: "99999",
      CFBE_SALT: "short-salt",
      CFBE_PROVIDRE: "sandbox",
    }, folder);
    assert.equal(code, 1);
    for (
      const part of [
        "PORT",
        "CFBE_SALT",
        "CFBE_PROVIDRE",
        "cfbe_subscribe",
        "cfbe_client_ip",
        "extra",
        "originz",
      ]
        .concat("settings.privacy.trustedHops")
    ) assert.ok(err.includes(part), `${part} in ${err}`);
    assert.doesNotMatch(err, /\n\s+at |Uncaught|short-salt/);
  }));

Deno.test("a config file that is not there, or can't be loaded, is said in a sentence", () =>
  inFolder(async (folder) => {
    const missing = await start({ CFBE_CONFIG: "./none.ts" }, folder);
    assert.deepEqual([missing.code, /names \.\/none\.ts, and there is no such file/.test(missing.err)], [
      1,
      true,
    ]);
    await Deno.writeTextFile(`${folder}/cfbe.config.ts`, "export default {");
    const broken = await start({}, folder);
    assert.equal(broken.code, 1);
    assert.match(broken.err, /cfbe\.config\.ts can't be loaded/);
    assert.doesNotMatch(broken.err, /Uncaught|bootstrap/);
  }));

Deno.test("a database that another process has is said in a sentence", () =>
  inFolder(async (folder) => {
    const lock = await Deno.open(`${folder}/cfbe.kv.lock`, { create: true, write: true });
    await lock.lock(true);
    const { code, err } = await start({ CFBE_KV: `${folder}/cfbe.kv` }, folder);
    lock.close();
    assert.equal(code, 1);
    assert.match(err, /in use by another process/);
    assert.doesNotMatch(err, /\n\s+at /);
  }));

Deno.test("a salt that was cut short is refused, not used", () =>
  inFolder(async (folder) => {
    await Deno.writeTextFile(`${folder}/cfbe.kv.salt`, "");
    const { code, err } = await start({ CFBE_KV: `${folder}/cfbe.kv` }, folder);
    assert.equal(code, 1);
    assert.match(err, /cfbe\.kv\.salt holds less than 32 characters/);
  }));
