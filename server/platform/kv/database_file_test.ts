import assert from "node:assert/strict";
import { openDenoKv } from "./engines/deno_kv.ts";
import { inspectFile } from "./database_file.ts";

Deno.test("a file that has taken the path of the open database is not opened, so that the index of the log they share stays as it is", async () => {
  const folder = await Deno.makeTempDir({ prefix: "cfbe-replaced-" });
  const file = `${folder}/cfbe.kv`;
  try {
    using ours = await openDenoKv(file);
    await ours.set(["ours"], 1);
    const { id, trouble } = await inspectFile(file);
    assert.equal(trouble, undefined);
    const other = await openDenoKv(`${folder}/other.kv`);
    await other.set(["other"], 1);
    await other.close();
    await Deno.rename(`${folder}/other.kv`, file);

    const before = await Deno.stat(`${file}-shm`);
    const report = await inspectFile(file, id);
    const after = await Deno.stat(`${file}-shm`);
    assert.notEqual(report.id, id);
    assert.deepEqual([after.ino, after.size, after.mtime], [before.ino, before.size, before.mtime]);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
