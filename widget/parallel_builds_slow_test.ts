import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { isUpToDate } from "./build_stamp.ts";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
/** What a build needs of the repository. */
const NEEDED = [
  ...["deno.json", "deno.lock", "widget", "shared"],
  ...["server", "bridge", "e2e"].map((member) => `${member}/deno.json`),
];

/** Copies what a build needs to a folder, with a widget that was built from earlier sources. */
async function staleRepository(): Promise<AsyncDisposable & { folder: string }> {
  const folder = await Deno.makeTempDir({ prefix: "cfbe-parallel-builds-" });
  const args = ["-r", "--parents", ...NEEDED, folder];
  const { success } = await new Deno.Command("cp", { args, cwd: ROOT }).output();
  assert.ok(success);
  await Deno.symlink(`${ROOT}node_modules`, `${folder}/node_modules`);
  await Deno.writeTextFile(`${folder}/widget/src/form/entry.tsx`, "\nconsole.log();\n", { append: true });
  return { folder, [Symbol.asyncDispose]: () => Deno.remove(folder, { recursive: true }) };
}

/** Returns the versions that the built files name: of the loader, and of each part. */
async function versionsIn(folder: string): Promise<string[]> {
  const dist = `${folder}/widget/dist`;
  const parts = [...Deno.readDirSync(`${dist}/cfbe`)].map(({ name }) =>
    name.match(/-(.{8})\.js$/)?.[1] ?? name
  );
  const loader = await Deno.readTextFile(`${dist}/cfbe.js`);
  return [...new Set(parts)].map((version) => loader.includes(version) ? version : `not ${version}`);
}

Deno.test("two `deno task start` at once with a stale widget both find a complete new one: Vite builds, the other waits", async () => {
  await using repository = await staleRepository();
  const { folder } = repository;
  const before = await versionsIn(folder);
  const started = await Promise.all([1, 2].map(async () => {
    const args = ["run", "-A", "widget/build_if_changed.ts"];
    const { code, stderr } = await new Deno.Command(Deno.execPath(), { args, cwd: folder }).output();
    assert.equal(code, 0, new TextDecoder().decode(stderr));
    return await versionsIn(folder);
  }));
  const now = await versionsIn(folder);
  assert.deepEqual([before.length, now.length, ...started], [1, 1, now, now]);
  assert.notDeepEqual(now, before);
  assert.equal(await isUpToDate(folder), true);
});
