import assert from "node:assert/strict";
import { dirname } from "node:path";
import { readEnvironment } from "../../settings/store/environment.ts";
import { systemRandom } from "../deps.ts";
import { ConfigError } from "../config/config.ts";
import { StartError } from "../config/start_error.ts";
import { copySecrets, existingSalts, existingToken, loadSecrets, secretPath } from "./secrets_file.ts";

async function inFolder(test: (kv: string) => Promise<void>) {
  const folder = await Deno.makeTempDir({ prefix: "cfbe-secrets-" });
  try {
    await test(`${folder}/deeper/cfbe.kv`);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

Deno.test("the first start creates salt and token next to the database, readable only by their owner", () =>
  inFolder(async (kv) => {
    const config = readEnvironment({ CFBE_KV: kv });
    const made = await loadSecrets(config, systemRandom);
    const [salt] = made.salts.accepted;
    assert.ok(salt.length >= 32 && made.apiToken.length >= 32 && salt !== made.apiToken);
    assert.deepEqual(await loadSecrets(config, systemRandom), made);
    for (const name of ["salt", "token"] as const) {
      assert.equal((await Deno.stat(secretPath(kv, name))).mode! & 0o777, 0o600);
    }
  }));

Deno.test("a start makes salt and token files readable only by their owner again", () =>
  inFolder(async (kv) => {
    const config = readEnvironment({ CFBE_KV: kv });
    const made = await loadSecrets(config, systemRandom);
    for (const name of ["salt", "token"] as const) await Deno.chmod(secretPath(kv, name), 0o644);
    assert.deepEqual(await loadSecrets(config, systemRandom), made);
    for (const name of ["salt", "token"] as const) {
      assert.equal((await Deno.stat(secretPath(kv, name))).mode! & 0o777, 0o600);
    }
  }));

Deno.test("concurrent first starts get the same secrets and leave no temporary file", () =>
  inFolder(async (kv) => {
    const config = readEnvironment({ CFBE_KV: kv });
    const all = await Promise.all(Array.from({ length: 10 }, () => loadSecrets(config, systemRandom)));
    assert.equal(new Set(all.map(({ salts }) => salts.accepted[0])).size, 1);
    const names = (await Array.fromAsync(Deno.readDir(dirname(kv)))).map(({ name }) => name);
    assert.deepEqual(names.toSorted(), ["cfbe.kv.salt", "cfbe.kv.token"]);
  }));

Deno.test("the environment takes precedence, and then no file is created", () =>
  inFolder(async (kv) => {
    const env = { CFBE_KV: kv, CFBE_SALT: "s".repeat(32), CFBE_API_TOKEN: "t".repeat(16) };
    assert.deepEqual(await loadSecrets(readEnvironment(env), systemRandom), {
      salts: { accepted: [env.CFBE_SALT], identity: undefined },
      apiToken: env.CFBE_API_TOKEN,
    });
    await assert.rejects(Deno.stat(dirname(kv)), Deno.errors.NotFound);
  }));

Deno.test("the error for a truncated salt says to restore it and not to delete it; that for a token says both", () =>
  inFolder(async (kv) => {
    const config = readEnvironment({ CFBE_KV: kv });
    const errorFor = async (name: "salt" | "token") => {
      await loadSecrets(config, systemRandom);
      const path = secretPath(kv, name);
      const kept = await Deno.readTextFile(path);
      await Deno.writeTextFile(path, kept.slice(0, 8));
      const error = await loadSecrets(config, systemRandom).catch(({ message }: Error) => message);
      await Deno.writeTextFile(path, kept);
      return String(error);
    };
    const salt = await errorFor("salt");
    assert.match(salt, /cfbe\.kv\.salt has fewer than 32 characters: restore it from your copy\./);
    assert.doesNotMatch(salt, /delete/);
    assert.match(await errorFor("token"), /restore it, or delete it to create a new one/);
  }));

Deno.test("the error for an unreadable secret names the file and the variable to set instead", () =>
  inFolder(async (kv) => {
    await Deno.mkdir(secretPath(kv, "token"), { recursive: true });
    await assert.rejects(loadSecrets(readEnvironment({ CFBE_KV: kv }), systemRandom), (error) => {
      assert.ok(error instanceof StartError);
      assert.match(error.message, /cfbe\.kv\.token can't be read or created: .*or set CFBE_API_TOKEN\.$/);
      return true;
    });
  }));

Deno.test("a file that has lost a part of its secret is refused, and not filled again", () =>
  inFolder(async (kv) => {
    const config = readEnvironment({ CFBE_KV: kv });
    const made = await loadSecrets(config, systemRandom);
    const path = secretPath(kv, "token");
    for (const text of ["", made.apiToken.slice(0, 31)]) {
      await Deno.writeTextFile(path, text);
      await assert.rejects(loadSecrets(config, systemRandom), ConfigError);
      assert.equal(await Deno.readTextFile(path), text);
    }
    await Deno.writeTextFile(path, `${made.apiToken.slice(0, 32)}\n`);
    assert.equal((await loadSecrets(config, systemRandom)).apiToken, made.apiToken.slice(0, 32));
  }));

Deno.test("looking for secrets creates none, and finds those of the environment or beside the database", () =>
  inFolder(async (kv) => {
    const config = readEnvironment({ CFBE_KV: kv });
    const found = async (
      of: typeof config,
    ) => [await existingSalts(of), await existingToken(of, systemRandom)];
    assert.deepEqual(await found(config), [undefined, undefined]);
    await assert.rejects(Deno.stat(dirname(kv)), Deno.errors.NotFound);
    const { salts, apiToken } = await loadSecrets(config, systemRandom);
    assert.deepEqual(await found(config), [salts, apiToken]);
    const env = { CFBE_KV: kv, CFBE_SALT: "s".repeat(32), CFBE_API_TOKEN: "t".repeat(16) };
    const own = { accepted: [env.CFBE_SALT], identity: undefined };
    assert.deepEqual(await found(readEnvironment(env)), [own, env.CFBE_API_TOKEN]);
  }));

Deno.test("secrets are copied to another database, and never over other ones", () =>
  inFolder(async (kv) => {
    const { salts } = await loadSecrets(readEnvironment({ CFBE_KV: kv }), systemRandom);
    const to = `${dirname(kv)}/other/cfbe.kv`;
    const both = ["salt", "token"] as const;
    assert.deepEqual(await copySecrets(kv, to, both), both.map((name) => secretPath(to, name)));
    assert.deepEqual(await existingSalts(readEnvironment({ CFBE_KV: to })), salts);
    assert.deepEqual(await copySecrets(kv, kv, both), [], "to itself");
    assert.deepEqual(await copySecrets(`${to}2`, kv, both), [], "of a database without secrets");
    const third = `${dirname(kv)}/third/cfbe.kv`;
    const other = await loadSecrets(readEnvironment({ CFBE_KV: third }), systemRandom);
    await assert.rejects(copySecrets(kv, third, both), StartError);
    assert.deepEqual(await loadSecrets(readEnvironment({ CFBE_KV: third }), systemRandom), other);
  }));
