import assert from "node:assert/strict";
import { bootstrap } from "../../program/bootstrap.ts";
import { cfbe, runningService, SALT, withFolder } from "../testing/cli.ts";

const OTHER = "another salt, long enough to be one";
const quiet = { write: () => {} };

Deno.test("with another salt every command says what to do, and the doctor reports it", () =>
  withFolder(async (env) => {
    assert.equal((await cfbe({ env }, "users", "invite", "grace", "--role", "admin")).code, 0);
    const stopped = await cfbe({ env }, "poll");
    assert.equal(stopped.code, 0);
    assert.match(stopped.err, /^No service responds at http:\S+ This is the database \S+cfbe\.kv\.$/m);
    const wrong = { ...env, CFBE_SALT: OTHER };
    const { code, err } = await cfbe({ env: wrong }, "poll");
    assert.equal(code, 1);
    assert.match(err, /created with is not set\. Set CFBE_SALT to it/);
    const { out } = await cfbe({ env: wrong }, "doctor", "--json");
    assert.deepEqual(JSON.parse(out).findings.map(({ id }: { id: string }) => id), ["salt.other"]);
  }));

Deno.test("a stopped service adopts another salt after confirmation and names the lost secrets", () =>
  withFolder(async (env) => {
    const wrong = { ...env, CFBE_SALT: OTHER };
    const owner = await bootstrap({ ...env, CFBE_SALT: SALT }, quiet);
    await owner.services.settings.save("webhooks", { secret: "a-webhook-secret" });
    await owner.close(0);
    assert.equal((await cfbe({ env: wrong }, "salt", "adopt")).code, 2, "asks first");
    assert.equal((await cfbe({ env: wrong }, "poll")).code, 1);
    const done = await cfbe({ env: wrong }, "salt", "adopt", "--yes");
    assert.deepEqual([done.code, done.out], [0, "Done. Start the service."]);
    assert.match(done.err, /Enter these secrets again: webhooks\.secret$/);
    assert.equal((await cfbe({ env: wrong }, "poll")).code, 0);
    assert.equal((await cfbe({ env }, "poll")).code, 1);
    await using program = await runningService();
    const running = await cfbe({ env: { ...env, ...program.shell } }, "salt", "adopt", "--yes");
    assert.match(running.err, /Stop it first/);
  }));

Deno.test("a backup restored with another salt starts, without the secrets that cannot be decrypted", () =>
  withFolder(async (env, folder) => {
    const file = `${folder}/backup.gz`;
    const owner = await bootstrap({ ...env, CFBE_SALT: SALT }, quiet);
    await owner.services.settings.save("webhooks", { secret: "a-webhook-secret" });
    await owner.close(0);
    assert.equal((await cfbe({ env }, "backup", file)).code, 0);
    const elsewhere = { ...env, CFBE_KV: `${folder}/other.kv` };
    const moved = { ...elsewhere, CFBE_SALT: OTHER };
    const restored = await cfbe({ env: moved }, "restore", file, "--other-salt");
    assert.equal(restored.code, 0, restored.err);
    assert.match(restored.err, /Enter these secrets again: webhooks\.secret$/);
    assert.equal((await cfbe({ env: moved }, "poll")).code, 0);

    // The backup contains the salt's fingerprint.
    const same = { ...env, CFBE_KV: `${folder}/same.kv` };
    assert.equal((await cfbe({ env: same }, "restore", file)).code, 0);
    assert.equal((await cfbe({ env: { ...same, CFBE_SALT: OTHER } }, "poll")).code, 1);
    assert.equal((await cfbe({ env: same }, "poll")).code, 0);
  }));
