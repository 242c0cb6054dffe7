import assert from "node:assert/strict";
import { bootstrap } from "./bootstrap.ts";
import type { Program } from "./program.ts";
import { ConfigError } from "../platform/config/config.ts";
import { POLL_JOB } from "../signup/confirm/poll_job.ts";
import { issueToken } from "../platform/keys/form_token.ts";
import { createKeyring } from "../platform/keys/keyring.ts";
import { keys } from "../platform/kv/keys.ts";
import { signupStatuses } from "../operations/remote/signup_status.ts";
import { PROVIDERS } from "../providers/providers.ts";
import { inFolder } from "../../dev/testing/failed_start.ts";
import { ManualClock } from "../../dev/testing/manual_clock.ts";
import { onFile } from "../../dev/testing/on_file.ts";
import { startProgram } from "../../dev/testing/program.ts";
import { NAMESPACE } from "../../shared/contract.ts";

/** Tests what the program reads at start, how it is assembled, and what it writes when it stops. */

Deno.test("the sandbox calls this program's webhook from the first start on", async () => {
  await using program = await startProgram({ clock: new ManualClock(), run: false });
  const registered = await program.services.provider.getWebhook();
  assert.equal(registered.kind === "webhook" && registered.webhook?.url, `${program.api}/provider-hook`);
});

Deno.test("the provider's adapter is not imported before the program listens, and a failure to import it is logged", async () => {
  let imports = 0;
  const create = () => {
    imports++;
    return Promise.reject(new Error("no such file"));
  };
  await using program = await startProgram({
    env: { CFBE_PROVIDER: "kit", CFBE_PROVIDER_API_KEY: "a key" },
    providers: { ...PROVIDERS, kit: { ...PROVIDERS.kit, create } },
    run: false,
  });
  assert.equal(imports, 0);
  await program.warmUp();
  assert.equal(imports, 1);
  assert.equal(program.lines.filter((line) => JSON.parse(line).event === "provider.not_loaded").length, 1);
});

Deno.test("signatures under an earlier salt are accepted while that salt is listed", async () => {
  const cfbe_token = issueToken(
    createKeyring(["an earlier salt that is long enough"]),
    Date.now() - 10_000,
  );
  const saved = async (CFBE_SALT_PREVIOUS: string) => {
    await using program = await startProgram({ env: { CFBE_SALT_PREVIOUS }, run: false });
    await (await program.subscribe({ email: "ann@example.com", cfbe_token })).body?.cancel();
    return (await signupStatuses(program.services, "ann@example.com"))?.length;
  };
  assert.deepEqual([await saved("an earlier salt that is long enough"), await saved("")], [1, 0]);
});

Deno.test("a start under a new salt logs that the old one is accepted, and which secrets it has encrypted again", async () => {
  const [first, second] = ["the first salt that is long enough", "the second salt that is long enough"];
  await inFolder(async (folder) => {
    const CFBE_KV = `${folder}/cfbe.kv`;
    const linesUnder = async (env: Record<string, string>, use?: (program: Program) => Promise<unknown>) => {
      await using program = await startProgram({ env: { CFBE_KV, ...env }, run: false });
      await use?.(program);
      const logged = program.lines.map((line) => JSON.parse(line));
      return logged.filter(({ event }) => event.startsWith("salt.")).map(({ event, previous, settings }) => [
        event,
        previous ?? settings,
      ]);
    };
    const save = ({ services }: Program) => services.settings.save("general", { apiKey: "a-saved-key" });
    assert.deepEqual(await linesUnder({ CFBE_SALT: first }, save), []);
    const rotated = { CFBE_SALT: second, CFBE_SALT_PREVIOUS: first };
    assert.deepEqual(await linesUnder(rotated), [
      ["salt.previous_accepted", 1],
      ["salt.secrets_encrypted_again", ["general.apiKey"]],
    ]);
    assert.deepEqual(await linesUnder(rotated), [["salt.previous_accepted", 1]]);
  });
});

Deno.test("a database whose salt file is lost gets no new one, and the error says which file to put back", () =>
  inFolder(async (folder) => {
    const env = { CFBE_KV: `${folder}/cfbe.kv` };
    const start = async () => await (await bootstrap(env, { write: () => {} })).close(0);
    await start();
    await Deno.rename(`${folder}/cfbe.kv.salt`, `${folder}/lost`);
    await assert.rejects(start(), {
      name: "WrongSalt",
      message:
        `The salt that this database was created with is not set, and ${folder}/cfbe.kv.salt does not exist. Put the ` +
        "file back, or set CFBE_SALT to the salt. If it is lost, `deno task cfbe salt adopt` shows the consequences.",
    });
    await Deno.link(`${folder}/lost`, `${folder}/cfbe.kv.salt`);
    await start();
  }));

Deno.test("a test program that can't start leaves nothing behind", async () => {
  await assert.rejects(startProgram({ env: { CFBE_PROVIDER: "nobody" } }), ConfigError);
});

/** Leaves a claimed job behind, like a process that dies during its attempt. */
const dieOverPoll = async (program: Program) => {
  await program.tick();
  assert.ok((await program.queue.claim(8)).some(({ row }) => row.name === POLL_JOB.name));
};
const claimable = async ({ queue }: Program) => (await queue.claim(8)).map(({ row }) => row.name);

Deno.test("the next start resumes the jobs of a process that died, if the file lock proves that it died", () =>
  onFile(async (life) => {
    await life(dieOverPoll);
    assert.ok((await life(claimable)).includes(POLL_JOB.name));
  }));

Deno.test("a start leaves claimed jobs alone if another process may be using the database", () =>
  onFile(async (life) => {
    const { tryLock } = Deno.FsFile.prototype;
    // As on Deno before 2.9, which cannot lock the file.
    Object.assign(Deno.FsFile.prototype, { tryLock: undefined });
    try {
      await life(dieOverPoll);
      assert.deepEqual(await life(claimable), []);
    } finally {
      Object.assign(Deno.FsFile.prototype, { tryLock });
    }
  }));

Deno.test("a deactivated program is inactive from its start on, before the first tick", () =>
  onFile(async (life) => {
    assert.equal(await life(({ services }) => Promise.resolve(services.activation.isActive())), true);
    await life(({ services }) => services.activation.deactivate());
    assert.equal(await life(({ services }) => Promise.resolve(services.activation.isActive())), false);
  }));

Deno.test("counts since the last minute are written when the program ends", () =>
  onFile(async (life) => {
    await life(async (program) => {
      const app = await program.createApp();
      const response = await app.request(`${NAMESPACE}/subscribe`, { method: "POST", body: "{" });
      assert.equal(response.status, 400);
      program.services.webhookCalls.note({ at: 1, result: "unauthorized" });
      await program.services.provider.lists();
    });
    await life(async ({ services }) => {
      assert.equal((await services.webhookCalls.recent()).length, 1);
      assert.ok((await services.health.read())["lists"]);
      assert.equal((await services.counters.totals())["requests"], 1);
    });
  }));

Deno.test("the environment takes precedence over the config file, and the config file over the sandbox's settings", async () => {
  const general = { projectId: "of the file", apiKey: "key of the file", defaultList: "list of the file" };
  await using program = await startProgram({
    env: { CFBE_PROVIDER_API_KEY: "key of the environment" },
    file: { settings: { general } },
    run: false,
  });
  const { projectId, apiKey, defaultList } = program.services.settings.current().general;
  assert.deepEqual([projectId, apiKey, defaultList], [
    "of the file",
    "key of the environment",
    "list of the file",
  ]);
});

Deno.test("no log line contains a secret of the environment or of the settings", async () => {
  const env = {
    CFBE_SALT: "the salt of this test, long enough to be one",
    CFBE_SALT_PREVIOUS: "an earlier salt that is long enough",
    CFBE_API_TOKEN: "the-token-of-operators",
    CFBE_ADMIN_PASSWORD: "the password of the first admin",
    CFBE_PROVIDER_API_KEY: "the-key-of-the-provider",
  };
  const secrets = [...Object.values(env), "the-secret-of-the-webhook"];
  await using program = await startProgram({
    env,
    file: { settings: { webhooks: { secret: "the-secret-of-the-webhook" } } },
    run: false,
  });
  for (const secret of secrets) program.log.warn("remote.says", { message: `wrong: ${secret}!` });
  const lines = program.lines.filter((line) => JSON.parse(line).event === "remote.says");
  assert.equal(lines.length, secrets.length);
  for (const secret of secrets) assert.ok(!lines.some((line) => line.includes(secret)), secret);
});

Deno.test("invalid stored settings stop the start with an error that names them, and the database is closed", () =>
  onFile(async (life) => {
    await life(({ services: { kv } }) =>
      kv.set(keys.settings("form"), { v: 1, fields: { nameField: "nonsense" } })
    );
    for (let start = 0; start < 2; start++) {
      await assert.rejects(life(() => Promise.resolve()), (error) => {
        assert.ok(error instanceof ConfigError);
        assert.match(error.message, /form\.nameField/);
        return true;
      });
    }
  }));

Deno.test("a preview without secrets logs at start that it will lose its data", async () => {
  const env = { DENO_DEPLOY: "true", DENO_TIMELINE: "git-branch/try", CFBE_SALT: undefined } as const;
  const lines: string[] = [];
  const program = await bootstrap(env, { file: {}, write: (line) => void lines.push(line) });
  await program.close(0);
  assert.ok(lines.some((line) => JSON.parse(line).event === "preview.ephemeral"));
});

Deno.test("without an API token in the environment, the generated one is required", async () => {
  await using program = await startProgram({ run: false });
  const statusWith = async (token: string) => {
    const response = await fetch(`${program.baseUrl}/ops/books`, {
      headers: { authorization: `Bearer ${token}` },
    });
    await response.body?.cancel();
    return response.status;
  };
  const made = program.config.apiToken ?? "";
  assert.ok(made.length >= 32);
  assert.deepEqual([await statusWith(made), await statusWith(""), await statusWith("undefined")], [
    200,
    401,
    401,
  ]);
});
