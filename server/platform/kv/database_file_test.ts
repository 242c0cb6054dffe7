import assert from "node:assert/strict";
import { openDenoKv } from "./engines/deno_kv.ts";
import { countRows, inspectFile, ownFile } from "./database_file.ts";

Deno.test("a file that has taken the path of the open database is not opened, so that the index of the log they share stays as it is", async () => {
  const folder = await Deno.makeTempDir({ prefix: "cfbe-replaced-" });
  const file = `${folder}/cfbe.kv`;
  try {
    using ours = await openDenoKv(file);
    await ours.set(["ours"], 1);
    const own = await ownFile(file);
    assert.equal((await inspectFile(own)).trouble, undefined);
    assert.equal(await countRows(own), 1);
    const other = await openDenoKv(`${folder}/other.kv`);
    await other.set(["other"], 1);
    await other.close();
    await Deno.rename(`${folder}/other.kv`, file);

    const before = await Deno.stat(`${file}-shm`);
    const { trouble } = await inspectFile(own);
    await assert.rejects(countRows(own), /another file has its path/);
    const after = await Deno.stat(`${file}-shm`);
    assert.equal(trouble?.cause, "replaced");
    assert.deepEqual([after.ino, after.size, after.mtime], [before.ino, before.size, before.mtime]);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
