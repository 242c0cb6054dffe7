import assert from "node:assert/strict";
import { bootstrap } from "../../program/bootstrap.ts";
import { cfbe, runningService, SALT, withFolder } from "../testing/cli.ts";

Deno.test("a backup of the running service is restored into a stopped one", () =>
  withFolder(async (env, folder) => {
    const file = `${folder}/backup.gz`;
    {
      await using program = await runningService();
      await (await program.subscribe({ email: "ann@example.com" })).body?.cancel();
      await program.runner.idle();
      const taken = await cfbe({ env: program.shell }, "backup", file);
      assert.match(taken.out, /^\d+ rows in .*The salt is not included/);
      assert.equal((await Deno.stat(file)).mode! & 0o777, 0o600);
      // A link in place of the draft is not followed, and its permissions are not kept.
      await Deno.writeTextFile(`${folder}/others`, "others'", { mode: 0o666 });
      await Deno.symlink(`${folder}/others`, `${file}.partial`);
      const there = await cfbe({ env: program.shell }, "backup", file);
      assert.deepEqual([there.code, /already exists\..*--force/.test(there.err)], [1, true]);
      assert.equal((await cfbe({ env: program.shell }, "backup", file, "--force")).code, 0);
      assert.equal((await Deno.lstat(file)).isFile, true);
      assert.equal((await Deno.stat(file)).mode! & 0o777, 0o600);
      assert.equal(await Deno.readTextFile(`${folder}/others`), "others'");
      const nowhere = await cfbe({ env: program.shell }, "backup", `${folder}/none/backup.gz`);
      assert.deepEqual(
        [nowhere.code, nowhere.err],
        [1, `${folder}/none/backup.gz cannot be written: the folder ${folder}/none does not exist.`],
      );
      const running = await cfbe({ env: { ...env, ...program.shell } }, "restore", file);
      assert.match(running.err, /The service is running at .*Stop it first/);
    }
    const verified = await cfbe({ env }, "backup", "verify", file);
    assert.match(verified.out, /^\d+ rows in .*backup\.gz, as of .*: the backup can be restored\.$/);
    const other = { ...env, CFBE_SALT: "another salt, long enough to be one" };
    assert.match((await cfbe({ env: other }, "backup", "verify", file)).err, /another salt: .*Set CFBE_SALT/);
    await assert.rejects(Deno.stat(env["CFBE_KV"]!), Deno.errors.NotFound);

    const restored = await cfbe({ env }, "restore", file);
    assert.equal(restored.code, 0, restored.err);
    assert.match((await cfbe({ env }, "status", "ann@example.com")).out, /pending since/);

    const program = await bootstrap({ ...env, CFBE_SALT: SALT }, { write: () => {} });
    const [latest] = (await program.services.admin.audit.list()).rows;
    await program.close(0);
    assert.deepEqual([latest?.who, latest?.action, latest?.result], ["command line", "cfbe_restore", "done"]);

    assert.match((await cfbe({ env }, "restore", file)).err, /not empty.*--replace/);
    assert.equal((await cfbe({ env }, "restore", file, "--replace")).code, 2, "asks first");
    assert.equal((await cfbe({ env }, "restore", file, "--replace", "--yes")).code, 0);
    const salted = await cfbe(
      { env: { ...env, CFBE_SALT: "another salt, long enough to be one" } },
      "restore",
      file,
    );
    assert.match(salted.err, /another salt.*--other-salt/);
    await Deno.writeTextFile(file, "not gzip");
    assert.match(
      (await cfbe({ env }, "restore", file, "--replace", "--yes")).err,
      /cannot be restored: it is not a gzip file/,
    );
    assert.match((await cfbe({ env }, "status", "ann@example.com")).out, /pending since/, "as it was");
    assert.match((await cfbe({ env }, "restore", `${folder}/none`)).err, /does not exist/);
  }));

Deno.test("activating is advised only after restoring a backup of a service that was deactivated", () =>
  withFolder(async (env, folder) => {
    const file = `${folder}/backup.gz`;
    {
      await using program = await runningService();
      assert.equal((await cfbe({ env: program.shell }, "deactivate", "--yes")).code, 0);
      assert.equal((await cfbe({ env: program.shell }, "backup", file)).code, 0);
    }
    const { out } = await cfbe({ env }, "restore", file);
    assert.match(out, /Start the service, which is deactivated, and run `deno task cfbe activate`\.$/);
  }));

Deno.test("a folder is named as such where a backup is expected", () =>
  withFolder(async (env, folder) => {
    for (const command of [["backup", "verify"], ["restore"]]) {
      const { code, err } = await cfbe({ env }, ...command, folder);
      assert.deepEqual([code, err], [1, `${folder} is a folder, not a backup.`]);
    }
  }));

Deno.test("a refused restore creates no database and no salt", () =>
  withFolder(async (env, folder) => {
    const file = `${folder}/backup.gz`;
    {
      await using program = await runningService();
      await cfbe({ env: program.shell }, "backup", file);
    }
    const cut = `${folder}/cut.gz`;
    await Deno.writeFile(cut, (await Deno.readFile(file)).subarray(0, 200));
    await Deno.mkdir(`${folder}/new`);
    const elsewhere = { ...env, CFBE_KV: `${folder}/new/cfbe.kv` };
    const refusals: [file: string, env: Record<string, string>, refusal: RegExp][] = [
      [`${folder}/none`, elsewhere, /does not exist/],
      [cut, elsewhere, /truncated/],
      [file, { ...elsewhere, CFBE_SALT: "another salt, long enough to be one" }, /another salt/],
      [file, { ...elsewhere, CFBE_SALT: "" }, /another salt.*Set CFBE_SALT/],
    ];
    for (const [path, at, refusal] of refusals) {
      assert.match((await cfbe({ env: at }, "restore", path)).err, refusal);
      assert.deepEqual(await Array.fromAsync(Deno.readDir(`${folder}/new`)), []);
    }
    const missing = await cfbe({ env: { ...env, CFBE_KV: `${folder}/disk/cfbe.kv` } }, "restore", file);
    assert.match(missing.err, /^The folder of the database, .*\/disk, does not exist\./);
    assert.equal((await cfbe({ env: elsewhere }, "restore", file)).code, 0);
  }));

Deno.test("a backup made after a rotation is restored with all salts in any order, and otherwise the error says which one is missing", () =>
  withFolder(async (env, folder) => {
    const file = `${folder}/backup.gz`;
    const [first, second, third] = [1, 2, 3].map((number) =>
      `salt number ${number}: long enough to be one`
    ) as [
      string,
      string,
      string,
    ];
    for (const salts of [{ CFBE_SALT: first }, { CFBE_SALT: second, CFBE_SALT_PREVIOUS: first }]) {
      await (await bootstrap({ ...env, ...salts }, { write: () => {} })).close(0);
    }
    const salts = { CFBE_SALT: third, CFBE_SALT_PREVIOUS: `${first}, ${second}` };
    assert.equal((await cfbe({ env: { ...env, ...salts } }, "backup", file)).code, 0);
    const restored = (given: Record<string, string>) =>
      cfbe({ env: { ...env, CFBE_KV: `${folder}/new.kv`, ...given } }, "restore", file);
    assert.match(
      (await restored({ CFBE_SALT: third })).err,
      /had an earlier one: .*Set CFBE_SALT_PREVIOUS to .*comma/,
    );
    assert.match(
      (await restored({ CFBE_SALT: first })).err,
      /a later one: .*Set CFBE_SALT to the later salt/,
    );
    assert.match((await restored({ CFBE_SALT: second })).err, /made with another salt: .*Set CFBE_SALT/);
    const done = await restored(salts);
    assert.equal(done.code, 0, done.err);
  }));

Deno.test("a restore says that users are signed out, and how many rows about erased people it leaves out", () =>
  withFolder(async (env, folder) => {
    const file = `${folder}/backup.gz`;
    const program = await runningService();
    try {
      await (await program.subscribe({ email: "ann@example.com" })).body?.cancel();
      await program.runner.idle();
      assert.equal((await cfbe({ env: program.shell }, "backup", file)).code, 0);
    } finally {
      await program[Symbol.asyncDispose]();
    }
    const first = await cfbe({ env }, "restore", file);
    assert.match(first.out, /^\d+ rows restored, .*\. All users are signed out\. Start the service\.$/);
    assert.equal((await cfbe({ env }, "erase", "ann@example.com", "--yes")).code, 0);
    const { out } = await cfbe({ env }, "restore", file, "--replace", "--yes");
    assert.match(out, /^Not restored: \d+ rows about people who have been erased\.$/m);
  }));

Deno.test("an encrypted backup is verified and restored with its secret key only, and the public key is no secret", () =>
  withFolder(async (env, folder) => {
    const [file, key, otherKey] = ["backup.age", "backups.key", "other.key"].map((name) =>
      `${folder}/${name}`
    );
    const made = await cfbe({ env }, "backup", "key", key!);
    const recipient = made.out.split("\n")[0]!;
    assert.match(recipient, /^age1[0-9a-z]+$/);
    assert.match(await Deno.readTextFile(key!), new RegExp(`^# public key: ${recipient}\nAGE-SECRET-KEY-1`));
    assert.equal((await Deno.stat(key!)).mode! & 0o777, 0o600);
    assert.match((await cfbe({ env }, "backup", "key", key!)).err, /already exists/);
    await cfbe({ env }, "backup", "key", otherKey!);
    {
      await using program = await runningService();
      await (await program.subscribe({ email: "ann@example.com" })).body?.cancel();
      await program.runner.idle();
      const wrong = await cfbe({ env: program.shell }, "backup", file!, "--recipient", "age1nobody");
      assert.match(wrong.err, /age1nobody is not a public key.*backup key <file>/);
      const taken = await cfbe({ env: program.shell }, "backup", file!, "--recipient", recipient);
      assert.deepEqual([taken.code, taken.err], [0, ""]);
    }
    assert.match(new TextDecoder("latin1").decode(await Deno.readFile(file!)), /^age-encryption\.org\/v1\n/);
    for (const command of [["backup", "verify", file!], ["restore", file!]]) {
      const locked = await cfbe({ env }, ...command);
      assert.match(locked.err, /backup\.age cannot be read: it is encrypted\. .*--identity/);
      const other = await cfbe({ env }, ...command, "--identity", otherKey!);
      assert.match(other.err, /it is encrypted for another key, or damaged/);
      const noKey = await cfbe({ env }, ...command, "--identity", file!);
      assert.match(noKey.err, /contains no secret key/);
      const opened = await cfbe({ env }, ...command, "--identity", key!);
      assert.equal(opened.code, 0, opened.err);
    }
    assert.match((await cfbe({ env }, "status", "ann@example.com")).out, /pending since/);
  }));
