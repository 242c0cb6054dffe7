import assert from "node:assert/strict";
import { bootstrap } from "./bootstrap.ts";
import { problemsIn } from "../operations/checks/registry.ts";
import { unfinishedRestore } from "../operations/database/lost_database.ts";
import { inFolder, refusal, SALT, start } from "../../dev/testing/failed_start.ts";

/** Tests the real process when it can't open its database. */

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
    const nowhere = await refusal({ CFBE_KV: "/proc/cfbe.kv" }, folder);
    assert.match(nowhere, /^The database \/proc\/cfbe\.kv can't be opened: /);
  }));

Deno.test("the error for a data folder that can't be written or created names it and says what to do", () =>
  inFolder(async (folder) => {
    // Root can write anywhere unless it loses this capability.
    const withoutPower = Deno.uid() === 0
      ? ["setpriv", "--bounding-set=-dac_override,-dac_read_search", "--"]
      : [];
    await Deno.mkdir(`${folder}/data`, { mode: 0o500 });
    for (const file of [`${folder}/data/cfbe.kv`, ""]) {
      const message = await refusal({ CFBE_KV: file }, folder, { prefix: withoutPower });
      assert.match(
        message,
        /cfbe\.kv can't be opened: this user can't read and write it\. Give the folder .*data/,
      );
    }
  }));

Deno.test({
  name: "the error for a database, or a log beside it, that another user owns says what to do",
  // Only root can give files to another user.
  ignore: Deno.uid() !== 0,
  fn: () =>
    inFolder(async (folder) => {
      const file = `${folder}/cfbe.kv`;
      await (await bootstrap({ CFBE_KV: file, CFBE_SALT: SALT }, { write: () => {} })).close(0);
      await Deno.writeFile(`${file}-wal`, new Uint8Array());
      const prefix = ["setpriv", "--bounding-set=-dac_override,-dac_read_search,-fowner", "--"];
      for (const foreign of [file, `${file}-wal`]) {
        await Deno.chown(foreign, 65534, 65534);
        await Deno.chmod(foreign, 0o644);
        assert.equal(
          await refusal({ CFBE_KV: file }, folder, { prefix }),
          `The database ${file} can't be opened: this user can't read and write it. Give the folder ${folder} and its ` +
            "files to the user that runs cfbe, or set CFBE_KV to another file.",
        );
        await Deno.chown(foreign, 0, 0);
      }
    }),
});

Deno.test("only the default folder is created: any other one that is missing may be on a disk that is not mounted", () =>
  inFolder(async (folder) => {
    const file = `${folder}/disk/cfbe.kv`;
    assert.equal(
      await refusal({ CFBE_KV: file }, folder),
      `The folder of the database, ${folder}/disk, does not exist. If it is on another disk, mount that disk. For a new ` +
        "database, create the folder, or correct CFBE_KV.",
    );
    assert.deepEqual(await Array.fromAsync(Deno.readDir(folder)), []);
  }));

Deno.test("a database that is missing or empty beside its salt is not replaced by a new one", () =>
  inFolder(async (folder) => {
    const [file, salt] = [`${folder}/cfbe.kv`, `${folder}/cfbe.kv.salt`];
    const env = { CFBE_KV: file };
    await (await bootstrap(env, { write: () => {} })).close(0);
    await Deno.remove(file);
    const message =
      `The database ${file} is missing or empty, but its salt is there (${salt}). If it is on another ` +
      "disk, mount that disk. If it was lost, restore a backup with `deno task cfbe restore <file>`. To start without " +
      `the lost data, move ${salt} to another folder.`;
    assert.equal(await refusal(env, folder), message);
    await Deno.writeFile(file, new Uint8Array());
    assert.equal(await refusal(env, folder), message);
    await Deno.rename(salt, `${folder}/old.salt`);
    await (await bootstrap(env, { write: () => {} })).close(0);
  }));

Deno.test("a database that is missing or empty beside its lock is not replaced by a new one, if a variable has the salt", () =>
  inFolder(async (folder) => {
    const [file, lock] = [`${folder}/cfbe.kv`, `${folder}/cfbe.kv.lock`];
    const env = { CFBE_KV: file, CFBE_SALT: "s".repeat(40), CFBE_API_TOKEN: "t".repeat(40) };
    // A first start that died before its end leaves an empty lock, and perhaps an empty file.
    await Deno.writeFile(lock, new Uint8Array());
    await Deno.writeFile(file, new Uint8Array());
    await (await bootstrap(env, { write: () => {} })).close(0);
    await (await bootstrap(env, { write: () => {} })).close(0);
    await Deno.remove(file);
    const message = new RegExp(
      `is missing or empty, but its lock is there \\(${lock}\\).* move ${lock} to another`,
    );
    assert.match(await refusal(env, folder), message);
    await Deno.writeFile(file, new Uint8Array());
    assert.match(await refusal(env, folder), message);
    await Deno.rename(lock, `${folder}/old.lock`);
    await (await bootstrap(env, { write: () => {} })).close(0);
  }));

Deno.test("a start on a database beside an interrupted restore warns about the file that is left", () =>
  inFolder(async (folder) => {
    const { config, close } = await bootstrap({ CFBE_KV: `${folder}/cfbe.kv` }, { write: () => {} });
    assert.equal(await unfinishedRestore(config), undefined);
    await Deno.writeTextFile(`${folder}/cfbe.kv.restoring`, "");
    const draft = await unfinishedRestore(config);
    const [warning] = problemsIn({ unfinishedRestore: draft }, ({ start }) => start);
    assert.match(warning!.what, /^A restore was interrupted/);
    assert.match(warning!.todo, /^Run it again, or delete \S+cfbe\.kv\.restoring\.$/);
    await close(0);
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

Deno.test("the database of another installation beside the salt of this one stops the start and is not changed", () =>
  inFolder(async (folder) => {
    const env = (name: string) => ({
      CFBE_KV: `${folder}/${name}.kv`,
      CFBE_API_TOKEN: "a-token-for-the-operator",
    });
    for (const name of ["ours", "theirs"]) await (await bootstrap(env(name), { write: () => {} })).close(0);
    await Deno.copyFile(`${folder}/theirs.kv`, `${folder}/ours.kv`);
    const message = await refusal({ ...env("ours"), CFBE_SALT: "" }, folder);
    assert.match(
      message,
      /^The database \S+ours\.kv and the salt beside it, \S+ours\.kv\.salt, are of different installations: .*Put back/,
    );
    await Deno.copyFile(`${folder}/theirs.kv.salt`, `${folder}/ours.kv.salt`);
    await (await bootstrap(env("ours"), { write: () => {} })).close(0);
  }));

Deno.test("if CFBE_SALT hides the right salt in the file next to the database, the error names that file", () =>
  inFolder(async (folder) => {
    const env = { CFBE_KV: `${folder}/cfbe.kv`, CFBE_API_TOKEN: "a-token-for-the-operator" };
    await (await bootstrap(env, { write: () => {} })).close(0);
    const message = await refusal({ ...env, CFBE_SALT: SALT }, folder);
    assert.match(message, /^CFBE_SALT differs .* which is in \S+cfbe\.kv\.salt\. Remove CFBE_SALT/);
  }));

Deno.test("after the second rotation, the error says that the salt in the file is missing, or that the comma is", () =>
  inFolder(async (folder) => {
    const env = { CFBE_KV: `${folder}/cfbe.kv`, CFBE_API_TOKEN: "a-token-for-the-operator" };
    const start = async (salts: Record<string, string>) =>
      await (await bootstrap({ ...env, ...salts }, { write: () => {} })).close(0);
    await start({});
    const first = await Deno.readTextFile(`${folder}/cfbe.kv.salt`);
    const [second, third] = ["the-second-salt-which-is-long-enough", "the-third-salt-which-is-long-enough"];
    await start({ CFBE_SALT: second, CFBE_SALT_PREVIOUS: first });
    const rotated = { ...env, CFBE_SALT: third };
    assert.match(
      await refusal({ ...rotated, CFBE_SALT_PREVIOUS: second }, folder),
      /^A salt of this database is not set: the one in \S+cfbe\.kv\.salt\. Add it to CFBE_SALT_PREVIOUS, with a comma/,
    );
    assert.match(
      await refusal({ ...rotated, CFBE_SALT_PREVIOUS: `${second} ${first}` }, folder),
      /^CFBE_SALT_PREVIOUS contains salts without a comma/,
    );
    await start({ CFBE_SALT: third, CFBE_SALT_PREVIOUS: `${second}, ${first}` });
  }));
