import assert from "node:assert/strict";
import { type OpenedKv, openKv } from "../../platform/kv/open.ts";
import { replaceFile } from "./replace_file.ts";

async function inFolder(test: (folder: string) => Promise<void>): Promise<void> {
  const folder = await Deno.makeTempDir({ prefix: "cfbe-replace-" });
  try {
    await test(folder);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/** Opens a database, and closes it after the work. */
async function opened<T>(file: string, work: (database: OpenedKv) => Promise<T>): Promise<T> {
  const database = await openKv(file);
  try {
    return await work(database);
  } finally {
    database.close();
  }
}

const filesOf = async (folder: string) =>
  (await Array.fromAsync(Deno.readDir(folder), ({ name }) => name)).toSorted();

Deno.test("a database is replaced only when the new one is complete: an error leaves it as it was, and no other file", () =>
  inFolder(async (folder) => {
    const file = `${folder}/cfbe.kv`;
    await opened(file, async (database) => {
      await database.kv.set(["old"], 1);
      const failing = replaceFile(database, file, async (kv) => {
        await kv.set(["new"], 1);
        throw new Error("the disk is full");
      });
      await assert.rejects(failing, /the disk is full/);
      assert.equal((await database.kv.get(["old"])).value, 1);
      await replaceFile(database, file, async (kv) => {
        assert.equal((await database.kv.get(["old"])).value, 1, "usable meanwhile");
        await kv.set(["new"], 1);
      });
    });
    await opened(file, async ({ kv }) => {
      assert.equal((await kv.get(["old"])).value, null);
      assert.equal((await kv.get(["new"])).value, 1);
    });
    assert.deepEqual(await filesOf(folder), ["cfbe.kv", "cfbe.kv.lock"]);
  }));

Deno.test("no process can open the old database once it is being replaced", () =>
  inFolder(async (folder) => {
    const file = `${folder}/cfbe.kv`;
    await opened(file, async (database) => {
      await replaceFile(database, file, (kv) => kv.set(["new"], 1));
      await assert.rejects(openKv(file), { name: "DatabaseInUse" });
    });
    await opened(file, async ({ kv }) => assert.equal((await kv.get(["new"])).value, 1));
  }));

Deno.test("what an interrupted restore left is deleted, a link keeps its target, and the mode stays private", () =>
  inFolder(async (folder) => {
    await Deno.mkdir(`${folder}/disk`);
    const [link, file] = [`${folder}/cfbe.kv`, `${folder}/disk/real.kv`];
    await opened(file, ({ kv }) => kv.set(["old"], 1));
    await Deno.symlink(file, link);
    for (const suffix of ["", "-wal", "-shm", ".lock"]) {
      await Deno.writeTextFile(`${file}.restoring${suffix}`, "not a database");
    }
    await opened(link, (database) => replaceFile(database, link, (kv) => kv.set(["new"], 1)));
    await opened(file, async ({ kv }) => assert.equal((await kv.get(["new"])).value, 1));
    assert.equal((await Deno.lstat(link)).isSymlink, true);
    assert.equal((await Deno.stat(file)).mode! & 0o777, 0o600);
    assert.deepEqual(await filesOf(`${folder}/disk`), ["real.kv", "real.kv.lock"]);
  }));
