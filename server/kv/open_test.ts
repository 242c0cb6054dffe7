import assert from "node:assert/strict";
import { DatabaseInUse, openKv } from "./open.ts";

async function inFolder(test: (folder: string) => Promise<void>): Promise<void> {
  const folder = await Deno.makeTempDir({ prefix: "cfbe-open-" });
  try {
    await test(folder);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

Deno.test("a file makes its folder, which nobody else may read, and is exclusively ours", async () => {
  await inFolder(async (folder) => {
    const opened = await openKv(`${folder}/data/deep/cfbe.kv`);
    assert.equal(opened.exclusive, true);
    await opened.kv.set(["a"], 1);
    opened.close();
    assert.equal((await Deno.stat(`${folder}/data`)).mode! & 0o777, 0o700);
  });
});

Deno.test("a second owner of a file is refused by name, until the first one closes it", async () => {
  await inFolder(async (folder) => {
    const file = `${folder}/cfbe.kv`;
    const first = await openKv(file);
    await assert.rejects(openKv(file), (error) => {
      assert(error instanceof DatabaseInUse);
      assert(error.message.includes(file) && error.message.includes("CFBE_KV"));
      return true;
    });
    first.close();
    (await openKv(file)).close();
  });
});

Deno.test("the death of its owner frees a file", async () => {
  await inFolder(async (folder) => {
    const file = `${folder}/cfbe.kv`;
    const program = `import { openKv } from "${import.meta.resolve("./open.ts")}";
      await openKv("${file}"); console.log("open"); setInterval(() => {}, 1000);`;
    const owner = new Deno.Command(Deno.execPath(), {
      args: ["eval", "--unstable-kv", program],
      stdout: "piped",
    }).spawn();
    const output = owner.stdout.getReader();
    await output.read();
    await assert.rejects(openKv(file), DatabaseInUse);
    owner.kill("SIGKILL");
    await owner.status;
    await output.cancel();
    (await openKv(file)).close();
  });
});

Deno.test("a database in memory is ours alone, and leaves nothing behind", async () => {
  const opened = await openKv(":memory:");
  assert.equal(opened.exclusive, true);
  opened.close();
  await assert.rejects(Deno.stat(":memory:.lock"), Deno.errors.NotFound);
});
