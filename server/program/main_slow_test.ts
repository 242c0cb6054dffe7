import assert from "node:assert/strict";
import { stripVTControlCharacters } from "node:util";
import { NAMESPACE } from "../../shared/contract.ts";
import { runProgram } from "../../e2e/program.ts";
import { issueToken } from "../platform/keys/form_token.ts";
import { createKeyring } from "../platform/keys/keyring.ts";
import { inFolder, refusal, SALT, start } from "../../dev/testing/failed_start.ts";

/** Tests the real process, above all when it can't start: one message for the operator, exit code 1, no stack trace. */

Deno.test("all problems of environment and config file are reported in one message, without a stack trace, with exit code 1", () =>
  inFolder(async (folder) => {
    await Deno.writeTextFile(
      `${folder}/elsewhere.ts`,
      `export default {
        actions: { cfbe_subscribe() {} },
        filters: { cfbe_client_ip: "1.2.3.4" },
        settings: {
          general: { originz: [] },
          forms: { forms: [{ name: "a", heding: "A" }] },
          privacy: { trustedHops: "two" },
        },
        filtres: {},
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
        "cfbe_client_ip",
        "actions has no member cfbe_subscribe.",
        "its default export has no member filtres. Did you mean filters? It has no member extra.",
        "settings.general has no member originz. Did you mean origins?",
        "settings.forms.forms.0 has no member heding. Did you mean heading?",
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
    await Deno.writeTextFile(`${folder}/cfbe.config.ts`, 'import "../gone.ts"; export default {};');
    // An empty value is for Deno as if the variable were not set: it colors its messages.
    const colored = await start({ NO_COLOR: "" }, folder);
    assert.match(colored.err, /cfbe\.config\.ts can't be loaded: .*gone\.ts/);
    assert.equal(colored.err, stripVTControlCharacters(colored.err));
  }));

Deno.test("a config file that Deno may not read is not reported as missing", () =>
  inFolder(async (folder) => {
    const elsewhere = await Deno.makeTempDir();
    await Deno.writeTextFile(`${elsewhere}/cfbe.config.ts`, "export default {};");
    const ours = new URL("../", import.meta.url).pathname;
    const flags = ["--no-prompt", "--allow-env", `--allow-read=${folder},${ours}`];
    const err = await refusal({ CFBE_CONFIG: `${elsewhere}/cfbe.config.ts` }, folder, { flags });
    assert.match(err, /cfbe\.config\.ts may not be read\. Put it into cfbe's folder/);
    await Deno.remove(elsewhere, { recursive: true });
  }));

Deno.test("a truncated salt is rejected", () =>
  inFolder(async (folder) => {
    await Deno.writeTextFile(`${folder}/cfbe.kv.salt`, "");
    const { code, err } = await start({ CFBE_KV: `${folder}/cfbe.kv` }, folder);
    assert.equal(code, 1);
    assert.match(err, /cfbe\.kv\.salt has fewer than 32 characters/);
  }));

Deno.test("the error for a port in use names it and says what to do", () =>
  inFolder(async (folder) => {
    using taken = Deno.listen({ port: 0 });
    const { port } = taken.addr as Deno.NetAddr;
    const message = await refusal({ PORT: `${port}`, CFBE_KV: `${folder}/cfbe.kv` }, folder);
    assert.equal(
      message,
      `Port ${port} is in use by another program. Stop that program, or set PORT to a free port.`,
    );
    const created = (await Array.fromAsync(Deno.readDir(folder))).map(({ name }) => name);
    assert.deepEqual(created.filter((name) => name.startsWith("cfbe.kv")), [], "nothing is created for it");
  }));

Deno.test("the server's help says that it has no options, and an unknown option is refused; neither creates anything", () =>
  inFolder(async (folder) => {
    const env = { CFBE_KV: `${folder}/cfbe.kv` };
    const help = await start(env, folder, { args: ["--help"] });
    assert.deepEqual([help.code, help.err], [0, ""]);
    const unknown = await start(env, folder, { args: ["--port", "9000"] });
    assert.equal(unknown.code, 1);
    assert.match(
      unknown.err,
      /does not know --port 9000\. It has no options: environment variables configure it/,
    );
    assert.deepEqual(await Array.fromAsync(Deno.readDir(folder)), []);
  }));

Deno.test("the error for an address that this machine does not have names it and says what to do", () =>
  inFolder(async (folder) => {
    const message = await refusal({ CFBE_HOST: "192.0.2.1", CFBE_KV: `${folder}/cfbe.kv` }, folder);
    assert.equal(
      message,
      "This machine does not have the address 192.0.2.1. Set CFBE_HOST to 127.0.0.1, or to 0.0.0.0 for all addresses.",
    );
  }));

Deno.test("the error for a missing Deno permission names it", () =>
  inFolder(async (folder) => {
    const flags = ["--allow-read", "--allow-env", "--no-prompt"];
    await Deno.mkdir(`${folder}/data`);
    const env = { CFBE_KV: `${folder}/data/cfbe.kv` };
    const message = await refusal(env, folder, { flags });
    assert.match(
      message,
      /can't be opened: Deno has no permission for it\. Allow it with .*--allow-write=.*\/data\.$/,
    );
    const port = await refusal(env, folder, { flags: [...flags, "--allow-write"] });
    assert.match(port, /^Deno has no permission to listen on port 8000\. Allow it with --allow-net\.$/);
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
  const cfbe_token = issueToken(createKeyring([SALT]), Date.now() - 10_000);
  const response = await fetch(`${program.baseUrl}${NAMESPACE}/subscribe`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ source: "shortcode", cfbe_token, email: "" }),
  });
  assert.equal(response.status, 400, "its IP was counted");
  await response.body?.cancel();
  const { visitorIps } = await program.json<{ visitorIps: boolean }>("/readyz");
  assert.equal(visitorIps, true);
});
