import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const readJson = async (path: string) => JSON.parse(await Deno.readTextFile(ROOT + path));

Deno.test("CONTRIBUTING.md gives the purpose of every dependency, and of no other package", async () => {
  const folders = [".", ...(await readJson("deno.json")).workspace];
  const imports = await Promise.all(
    folders.map(async (folder) =>
      Object.entries<string>((await readJson(`${folder}/deno.json`)).imports ?? {})
    ),
  );
  const used = imports.flat().flatMap(([name, target]) =>
    target.startsWith("npm:") ? [name.replace(/\/$/, "")] : []
  );
  const [, table = ""] = (await Deno.readTextFile(`${ROOT}CONTRIBUTING.md`)).split("## Dependencies");
  const rows = [...table.matchAll(/^\| (`.*?) +\| (\S.*?) +\|$/gm)];
  const explained = rows.flatMap(([, names]) => [...names!.matchAll(/`([^`]+)`/g)].map(([, name]) => name));
  assert.deepEqual(explained.sort(), [...new Set(used)].sort());
});
