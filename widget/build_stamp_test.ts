import assert from "node:assert/strict";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { isUpToDate, startBuild } from "./build_stamp.ts";

const FILES: Record<string, string> = {
  "widget/src/loader/main.ts": "loader",
  "widget/src/form/form.css": "form",
  "widget/vite.config.ts": "config",
  "widget/deno.json": "{}",
  "shared/texts/en.ts": "texts",
  "server/main.ts": "server",
  "deno.lock": "versions",
  "widget/dist/cfbe.js": "built loader",
  "widget/dist/cfbe/form-abc.js": "built form",
};

/** Creates a repository whose widget has just been built. */
async function builtRepository() {
  const root = await Deno.makeTempDir({ prefix: "cfbe-build-" });
  for (const [path, text] of Object.entries(FILES)) {
    await Deno.mkdir(dirname(`${root}/${path}`), { recursive: true });
    await Deno.writeTextFile(`${root}/${path}`, text);
  }
  using build = await startBuild(root);
  await build.writeStamp();
  return { root, [Symbol.asyncDispose]: () => Deno.remove(root, { recursive: true }) };
}

Deno.test("a built widget is up to date, with other modification times too", async () => {
  await using built = await builtRepository();
  assert.equal(await isUpToDate(built.root), true);
  for (const path of Object.keys(FILES)) await Deno.utime(`${built.root}/${path}`, 0, 0);
  assert.equal(await isUpToDate(built.root), true);
  await Deno.writeTextFile(`${built.root}/server/main.ts`, "changed");
  assert.equal(await isUpToDate(built.root), true);
});

for (const path of Object.keys(FILES).filter((path) => !path.startsWith("server/"))) {
  Deno.test(`the widget is built again after ${path} was changed or deleted`, async () => {
    await using built = await builtRepository();
    await Deno.writeTextFile(`${built.root}/${path}`, "changed");
    assert.equal(await isUpToDate(built.root), false);
    await Deno.remove(`${built.root}/${path}`);
    assert.equal(await isUpToDate(built.root), false);
    await Deno.writeTextFile(`${built.root}/${path}`, FILES[path]!);
    assert.equal(await isUpToDate(built.root), true);
  });
}

Deno.test("the widget is built again after a file was added or renamed", async () => {
  await using built = await builtRepository();
  await Deno.writeTextFile(`${built.root}/shared/texts/de.ts`, "");
  assert.equal(await isUpToDate(built.root), false);
  await Deno.remove(`${built.root}/shared/texts/de.ts`);
  await Deno.rename(`${built.root}/shared/texts/en.ts`, `${built.root}/shared/texts/fr.ts`);
  assert.equal(await isUpToDate(built.root), false);
});

Deno.test("the widget is built again after a build that was interrupted, or never ran", async () => {
  await using built = await builtRepository();
  (await startBuild(built.root))[Symbol.dispose]();
  assert.equal(await isUpToDate(built.root), false);
  await Deno.remove(`${built.root}/widget/dist`, { recursive: true });
  assert.equal(await isUpToDate(built.root), false);
});

Deno.test("a source that changes during a build causes another build", async () => {
  await using built = await builtRepository();
  using build = await startBuild(built.root);
  await Deno.writeTextFile(`${built.root}/widget/src/loader/main.ts`, "changed");
  await build.writeStamp();
  assert.equal(await isUpToDate(built.root), false);
});

Deno.test("builds of the same sources run one after another, and the later one finds that nothing is left to do", async () => {
  await using built = await builtRepository();
  await Deno.writeTextFile(`${built.root}/widget/src/loader/main.ts`, "changed");
  const events: string[] = [];
  const first = await startBuild(built.root);
  const later = startBuild(built.root).then((build) => {
    events.push("later started");
    return build;
  });
  await Deno.writeTextFile(`${built.root}/widget/dist/cfbe.js`, "new loader");
  await first.writeStamp();
  events.push("first finished");
  first[Symbol.dispose]();
  using second = await later;
  assert.deepEqual([events, first.isDone, second.isDone], [["first finished", "later started"], false, true]);
});

Deno.test("a build that waited for one of earlier sources, or for one that failed, still builds", async () => {
  for (const path of ["shared/texts/en.ts", undefined]) {
    await using built = await builtRepository();
    await Deno.writeTextFile(`${built.root}/widget/src/loader/main.ts`, "changed");
    const first = await startBuild(built.root);
    const later = startBuild(built.root);
    if (path) {
      await Deno.writeTextFile(`${built.root}/${path}`, "changed");
      await first.writeStamp();
    }
    first[Symbol.dispose]();
    using second = await later;
    assert.equal(second.isDone, false);
    assert.equal(await isUpToDate(built.root), false);
  }
});

Deno.test("`deno task start` does not run Vite if nothing changed since `deno task build`", async () => {
  const root = fileURLToPath(new URL("..", import.meta.url));
  assert.equal(await isUpToDate(root), true, "run `deno task build` first");
  const loader = `${root}widget/dist/cfbe.js`;
  const { mtime } = await Deno.stat(loader);
  const { success } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", `${root}widget/build_if_changed.ts`],
  }).output();
  assert.deepEqual([success, (await Deno.stat(loader)).mtime], [true, mtime]);
});
