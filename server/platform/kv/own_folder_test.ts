import assert from "node:assert/strict";
import { openKv } from "./open.ts";
import { keepFolderPrivate } from "./own_folder.ts";

/** Returns the mode of a folder with the given files after a start on its database, in octal. */
async function modeAfter(
  mode: number,
  { files = [] as string[], isCwd = false, inside = "" } = {},
): Promise<string> {
  const folder = await Deno.makeTempDir({ prefix: "cfbe-folder-" });
  try {
    for (const name of files) await Deno.writeTextFile(`${folder}/${name}`, "");
    if (inside !== "") await Deno.mkdir(`${folder}/${inside}`);
    await Deno.chmod(folder, mode);
    await keepFolderPrivate(`${folder}/cfbe.kv`, () => isCwd ? folder : `${folder}-other`);
    return ((await Deno.stat(folder)).mode! & 0o7777).toString(8);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

const OWN = ["cfbe.kv", "cfbe.kv-wal", "cfbe.kv-shm", "cfbe.kv.lock", "cfbe.kv.salt", "cfbe.kv.token"];
const posix = { ignore: Deno.build.os === "windows" };

Deno.test(
  "a folder that has only cfbe's files becomes its owner's alone, whoever made it",
  posix,
  async () => {
    for (const mode of [0o755, 0o777, 0o750]) assert.equal(await modeAfter(mode, { files: OWN }), "700");
    assert.equal(await modeAfter(0o755), "700", "before the first start");
    assert.equal(await modeAfter(0o500, { files: OWN }), "500");
  },
);

Deno.test("a folder that others may need stays as it is", posix, async () => {
  assert.equal(await modeAfter(0o755, { files: [...OWN, "report.txt"] }), "755");
  assert.equal(await modeAfter(0o755, { files: [...OWN, "cfbe.kv.backup"] }), "755");
  assert.equal(await modeAfter(0o755, { files: OWN, inside: "backups" }), "755");
  assert.equal(await modeAfter(0o755, { files: OWN, isCwd: true }), "755");
  assert.equal(await modeAfter(0o1777, { files: OWN }), "1777");
  assert.equal(await modeAfter(0o2770, { files: OWN }), "2770");
});

Deno.test("opening a database makes a folder of its own private", posix, async () => {
  const folder = await Deno.makeTempDir({ prefix: "cfbe-folder-" });
  await Deno.chmod(folder, 0o777);
  (await openKv(`${folder}/cfbe.kv`)).close();
  assert.equal((await Deno.stat(folder)).mode! & 0o777, 0o700);
  await Deno.remove(folder, { recursive: true });
});
