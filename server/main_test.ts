import assert from "node:assert/strict";
import { runProgram } from "../e2e/program.ts";
import { bootstrap } from "./bootstrap.ts";

/** Tests the real process when it can't start: one message for the operator, exit code 1, no stack trace. */

const MAIN = new URL("./main.ts", import.meta.url).pathname;

const SALT = "a salt for tests, long enough to be one";

/**
 * Starts the program and waits for its end.
 *
 * @param flags permissions of the program
 * @param prefix a command that runs the program
 */
async function start(
  env: Record<string, string>,
  cwd: string,
  { flags = ["-A"], prefix = [] }: { flags?: string[]; prefix?: string[] } = {},
) {
  const config = new URL("../deno.json", import.meta.url).pathname;
  const [program, ...args] = [
    ...prefix,
    Deno.execPath(),
    "run",
    ...flags,
    // As `deno task start`. Otherwise Deno locks the folder, and says so on stderr when another process has the lock.
    "--node-modules-dir=manual",
    "--frozen",
    "--config",
    config,
    MAIN,
  ];
  const command = new Deno.Command(program!, {
    args,
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

Deno.test("all problems of environment and config file are reported in one message, without a stack trace, with exit code 1", () =>
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
        "unknown setting settings.general.originz",
      ]
        .concat("settings.privacy.trustedHops")
    ) assert.ok(err.includes(part), `${part} in ${err}`);
    assert.doesNotMatch(err, /\n\s+at |Uncaught|short-salt/);
  }));

Deno.test("a missing or broken config file is reported in one sentence", () =>
  inFolder(async (folder) => {
    const missing = await start({ CFBE_CONFIG: "./none.ts" }, folder);
    assert.deepEqual(
      [missing.code, /is set to \.\/none\.ts, but this file does not exist/.test(missing.err)],
      [
        1,
        true,
      ],
    );
    await Deno.writeTextFile(`${folder}/cfbe.config.ts`, "export default {");
    const broken = await start({}, folder);
    assert.equal(broken.code, 1);
    assert.match(broken.err, /cfbe\.config\.ts can't be loaded/);
    assert.doesNotMatch(broken.err, /Uncaught|bootstrap/);
  }));

Deno.test("a database that another process has open is reported in one sentence", () =>
  inFolder(async (folder) => {
    const lock = await Deno.open(`${folder}/cfbe.kv.lock`, { create: true, write: true });
    await lock.lock(true);
    const { code, err } = await start({ CFBE_KV: `${folder}/cfbe.kv` }, folder);
    lock.close();
    assert.equal(code, 1);
    assert.match(err, /already open in another process/);
    assert.doesNotMatch(err, /\n\s+at /);
  }));

Deno.test("a truncated salt is rejected", () =>
  inFolder(async (folder) => {
    await Deno.writeTextFile(`${folder}/cfbe.kv.salt`, "");
    const { code, err } = await start({ CFBE_KV: `${folder}/cfbe.kv` }, folder);
    assert.equal(code, 1);
    assert.match(err, /cfbe\.kv\.salt has fewer than 32 characters/);
  }));

/** Returns the message of a failed start: one or two sentences, without a stack trace. */
async function refusal(
  env: Record<string, string>,
  folder: string,
  how: { flags?: string[]; prefix?: string[] } = {},
): Promise<string> {
  const { code, out, err } = await start({ CFBE_SALT: SALT, ...env }, folder, how);
  assert.equal(code, 1, err);
  assert.doesNotMatch(out + err, /\n\s+at |Uncaught|\.ts:\d/);
  return err.trim();
}

Deno.test("the error for a port in use names it and says what to do", () =>
  inFolder(async (folder) => {
    using taken = Deno.listen({ port: 0 });
    const { port } = taken.addr as Deno.NetAddr;
    const message = await refusal({ PORT: `${port}`, CFBE_KV: `${folder}/cfbe.kv` }, folder);
    assert.equal(
      message,
      `Port ${port} is in use by another program. Stop that program, or set PORT to a free port.`,
    );
  }));

Deno.test("the error for an address that this machine does not have names it and says what to do", () =>
  inFolder(async (folder) => {
    const message = await refusal({ CFBE_HOST: "192.0.2.1", CFBE_KV: `${folder}/cfbe.kv` }, folder);
    assert.equal(
      message,
      "This machine does not have the address 192.0.2.1. Set CFBE_HOST to 127.0.0.1, or to 0.0.0.0 for all addresses.",
    );
  }));

Deno.test("the error for a database that can't be opened names it, the reason and what to do", () =>
  inFolder(async (folder) => {
    await Deno.writeTextFile(`${folder}/file`, "not a database, but long enough to be read as one");
    const below = await refusal({ CFBE_KV: `${folder}/file/cfbe.kv` }, folder);
    assert.match(below, /file\/cfbe\.kv can't be opened: .*\/file is not a folder\. Set CFBE_KV/);
    const message = await refusal({ CFBE_KV: `${folder}/file` }, folder);
    assert.match(message, /\/file can't be opened: file is not a database\. Set CFBE_KV to another file/);
    const inside = await refusal({ CFBE_KV: folder }, folder);
    assert.equal(
      inside,
      `The database ${folder} can't be opened: it is a folder. Set CFBE_KV to a file in it, such as ${folder}/cfbe.kv.`,
    );
    const nowhere = await refusal({ CFBE_KV: "/proc/cfbe/cfbe.kv" }, folder);
    assert.match(nowhere, /^The database \/proc\/cfbe\/cfbe\.kv can't be opened: /);
  }));

Deno.test("the error for a data folder that can't be written or created names it and says what to do", () =>
  inFolder(async (folder) => {
    // Root can write anywhere unless it loses this capability.
    const withoutPower = Deno.uid() === 0
      ? ["setpriv", "--bounding-set=-dac_override,-dac_read_search", "--"]
      : [];
    await Deno.mkdir(`${folder}/locked`, { mode: 0o500 });
    for (const file of ["locked/cfbe.kv", "locked/data/cfbe.kv"]) {
      const message = await refusal({ CFBE_KV: `${folder}/${file}` }, folder, { prefix: withoutPower });
      assert.match(
        message,
        /cfbe\.kv can't be opened: this user can't read and write it\. Give the folder .*locked/,
      );
    }
  }));

Deno.test("the error for a missing Deno permission names it", () =>
  inFolder(async (folder) => {
    const flags = ["--allow-read", "--allow-env", "--no-prompt"];
    const env = { CFBE_KV: `${folder}/data/cfbe.kv` };
    const message = await refusal(env, folder, { flags });
    assert.match(
      message,
      /can't be opened: Deno has no permission for it\. Allow it with .*--allow-write=.*\/data\.$/,
    );
    const port = await refusal(env, folder, { flags: [...flags, "--allow-write"] });
    assert.match(port, /^Deno has no permission to listen on port 8000\. Allow it with --allow-net\.$/);
  }));

Deno.test("the error for a KV Connect server that is down, rejects the token or is not one says what to do", () =>
  inFolder(async (folder) => {
    const token = { DENO_KV_ACCESS_TOKEN: "a-token-for-kv-connect" };
    const away = "http://127.0.0.1:1";
    assert.equal(
      await refusal({ CFBE_KV: away }, folder),
      `The database ${away} can't be opened: it needs a token. Set DENO_KV_ACCESS_TOKEN to the server's access token.`,
    );
    assert.equal(
      await refusal({ CFBE_KV: away, ...token }, folder),
      `The database ${away} can't be opened: it can't be reached (Connection refused). Start the server, or correct ` +
        "CFBE_KV.",
    );
    const responses = [new Response("no", { status: 401 }), new Response("hello")];
    const server = Deno.serve(
      { port: 0, hostname: "127.0.0.1", onListen: () => {} },
      () => responses.shift()!,
    );
    const CFBE_KV = `http://127.0.0.1:${server.addr.port}`;
    assert.match(
      await refusal({ CFBE_KV, ...token }, folder),
      /rejected the token\. Correct DENO_KV_ACCESS_TOKEN/,
    );
    assert.match(
      await refusal({ CFBE_KV, ...token }, folder),
      /not a valid KV Connect endpoint.* Set CFBE_KV/,
    );
    await server.shutdown();
  }));

Deno.test("a database made under another salt stops the start and is not changed", () =>
  inFolder(async (folder) => {
    const env = { CFBE_KV: `${folder}/cfbe.kv`, CFBE_API_TOKEN: "a-token-for-the-operator" };
    await (await bootstrap({ ...env, CFBE_SALT: SALT }, { write: () => {} })).close(0);
    const message = await refusal({ ...env, CFBE_SALT: "another salt, long enough to be one" }, folder);
    assert.match(
      message,
      /^The salt that this database was created with is not set\. Set CFBE_SALT/,
    );
    await (await bootstrap({ ...env, CFBE_SALT: SALT }, { write: () => {} })).close(0);
  }));

Deno.test("a start warns in the log if signups will be lost because of missing https or a missing API key", async () => {
  await using program = await runProgram({
    CFBE_SALT: SALT,
    CFBE_PROVIDER: "bluefox",
    CFBE_BASE_URL: "http://news.example",
  });
  const warned = program.log().split("\n").filter((line) => line.includes('"level":"warn"'));
  assert.deepEqual(warned.map((line) => JSON.parse(line).event), ["address.http", "provider.not_configured"]);
});

Deno.test("the program gets its visitors' IP addresses from its listener", async () => {
  await using program = await runProgram({ CFBE_SALT: SALT });
  const response = await fetch(`${program.baseUrl}/wp-json/cfbe/v1/provider-hook`, { method: "POST" });
  await response.body?.cancel();
  const { visitorIps } = await program.json<{ visitorIps: boolean }>("/readyz");
  assert.equal(visitorIps, true);
});
