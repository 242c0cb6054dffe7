import assert from "node:assert/strict";
import { dirname } from "node:path";
import { parseConfig } from "../config.ts";
import { systemRandom } from "../deps.ts";
import { StartError } from "../start_error.ts";
import { loadSecrets, secretPath } from "./secrets_file.ts";
import { PROVIDERS } from "../provider/providers.ts";

async function inFolder(test: (kv: string) => Promise<void>) {
  const folder = await Deno.makeTempDir({ prefix: "cfbe-secrets-" });
  try {
    await test(`${folder}/deeper/cfbe.kv`);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

Deno.test("salt and token are made at the first start, beside the database, for the owner alone", () =>
  inFolder(async (kv) => {
    const config = parseConfig({ CFBE_KV: kv }, PROVIDERS);
    const made = await loadSecrets(config, systemRandom);
    assert.ok(made.salt.length >= 32 && made.apiToken.length >= 32 && made.salt !== made.apiToken);
    assert.deepEqual(await loadSecrets(config, systemRandom), made);
    for (const name of ["salt", "token"] as const) {
      assert.equal((await Deno.stat(secretPath(kv, name))).mode! & 0o777, 0o600);
    }
  }));

Deno.test("a salt and a token that a copy left readable for others are for the owner alone after the next start", () =>
  inFolder(async (kv) => {
    const config = parseConfig({ CFBE_KV: kv }, PROVIDERS);
    const made = await loadSecrets(config, systemRandom);
    for (const name of ["salt", "token"] as const) await Deno.chmod(secretPath(kv, name), 0o644);
    assert.deepEqual(await loadSecrets(config, systemRandom), made);
    for (const name of ["salt", "token"] as const) {
      assert.equal((await Deno.stat(secretPath(kv, name))).mode! & 0o777, 0o600);
    }
  }));

Deno.test("of any number of first starts at once all get the same, and no draft is left", () =>
  inFolder(async (kv) => {
    const config = parseConfig({ CFBE_KV: kv }, PROVIDERS);
    const all = await Promise.all(Array.from({ length: 10 }, () => loadSecrets(config, systemRandom)));
    assert.equal(new Set(all.map(({ salt }) => salt)).size, 1);
    const names = (await Array.fromAsync(Deno.readDir(dirname(kv)))).map(({ name }) => name);
    assert.deepEqual(names.toSorted(), ["cfbe.kv.salt", "cfbe.kv.token"]);
  }));

Deno.test("the environment's come first, and then no file is made", () =>
  inFolder(async (kv) => {
    const env = { CFBE_KV: kv, CFBE_SALT: "s".repeat(32), CFBE_API_TOKEN: "t".repeat(16) };
    assert.deepEqual(await loadSecrets(parseConfig(env, PROVIDERS), systemRandom), {
      salt: env.CFBE_SALT,
      apiToken: env.CFBE_API_TOKEN,
    });
    await assert.rejects(Deno.stat(dirname(kv)), Deno.errors.NotFound);
  }));

Deno.test("a secret that can't be read is named, with the variable that may be set instead", () =>
  inFolder(async (kv) => {
    await Deno.mkdir(secretPath(kv, "token"), { recursive: true });
    await assert.rejects(loadSecrets(parseConfig({ CFBE_KV: kv }, PROVIDERS), systemRandom), (error) => {
      assert.ok(error instanceof StartError);
      assert.match(error.message, /cfbe\.kv\.token can't be read or made: .*or set CFBE_API_TOKEN\.$/);
      return true;
    });
  }));
