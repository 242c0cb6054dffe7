import assert from "node:assert/strict";
import { steadyClock } from "../deps.ts";
import { NoAnswer } from "./deadline.ts";
import { DatabaseInUse, openKv } from "./open.ts";

async function inFolder(test: (folder: string) => Promise<void>): Promise<void> {
  const folder = await Deno.makeTempDir({ prefix: "cfbe-open-" });
  try {
    await test(folder);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

Deno.test("opening a file creates its folder with mode 0700 and locks the file", async () => {
  await inFolder(async (folder) => {
    const opened = await openKv(`${folder}/data/deep/cfbe.kv`);
    assert.equal(opened.exclusive, true);
    await opened.kv.set(["a"], 1);
    opened.close();
    assert.equal((await Deno.stat(`${folder}/data`)).mode! & 0o777, 0o700);
  });
});

Deno.test("a file can't be opened twice, and the error names it", async () => {
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

Deno.test("a file is opened once its last owner has released it, as long as that takes less than a second", async () => {
  await inFolder(async (folder) => {
    const file = `${folder}/cfbe.kv`;
    const first = await openKv(file);
    const second = openKv(file);
    await new Promise((resolve) => setTimeout(resolve, 100));
    first.close();
    (await second).close();
  });
});

Deno.test("a file can be opened again after its process was killed", async () => {
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

Deno.test("a database in memory is exclusive, and leaves no lock file", async () => {
  const opened = await openKv(":memory:");
  assert.equal(opened.exclusive, true);
  opened.close();
  await assert.rejects(Deno.stat(":memory:.lock"), Deno.errors.NotFound);
});

Deno.test("whatever the umask, only the owner can access the database's files, including those of an earlier version", async () => {
  await inFolder(async (folder) => {
    const file = `${folder}/cfbe.kv`;
    const modes = async () =>
      Object.fromEntries(
        await Promise.all(
          (await Array.fromAsync(Deno.readDir(folder))).map(async ({ name }) =>
            [name, ((await Deno.stat(`${folder}/${name}`)).mode! & 0o777).toString(8)] as const
          ),
        ),
      );
    const umask = Deno.umask(0);
    try {
      const opened = await openKv(file);
      await opened.kv.set(["a"], 1);
      const made = await modes();
      assert.deepEqual(Object.keys(made).toSorted(), [
        "cfbe.kv",
        "cfbe.kv-shm",
        "cfbe.kv-wal",
        "cfbe.kv.lock",
      ]);
      assert.deepEqual(new Set(Object.values(made)), new Set(["600"]));
      for (const name of Object.keys(made)) await Deno.copyFile(`${folder}/${name}`, `${folder}/old-${name}`);
      opened.close();
    } finally {
      Deno.umask(umask);
    }
    // As an earlier version left them: world-readable, with a write-ahead log.
    const old = `${folder}/old-cfbe.kv`;
    for (const path of [old, `${old}-wal`]) await Deno.chmod(path, 0o644);
    await Deno.remove(`${old}-shm`);
    const opened = await openKv(old);
    assert.equal((await opened.kv.get(["a"])).value, 1);
    const kept = await modes();
    opened.close();
    for (const name of ["old-cfbe.kv", "old-cfbe.kv-wal", "old-cfbe.kv-shm"]) assert.equal(kept[name], "600");
  });
});

Deno.test("a database has one lock, even if its path contains links", async () => {
  await inFolder(async (folder) => {
    await Deno.mkdir(`${folder}/data`);
    const file = `${folder}/data/cfbe.kv`;
    await Deno.symlink(`${folder}/data`, `${folder}/data-link`);
    await Deno.symlink(file, `${folder}/file-link`);
    await assert.rejects(openKv(`${folder}/file-link`), /a symbolic link to a file that does not exist/);
    const first = await openKv(`${folder}/data-link/cfbe.kv`);
    await assert.rejects(openKv(file), DatabaseInUse);
    await assert.rejects(openKv(`${folder}/file-link`), DatabaseInUse);
    first.close();
    const linked = await openKv(`${folder}/file-link`);
    await assert.rejects(openKv(file), DatabaseInUse);
    linked.close();
    await Deno.link(file, `${folder}/hard-link`);
    for (const path of [file, `${folder}/hard-link`]) {
      await assert.rejects(openKv(path), /the file has 2 hard links.*Remove the others/);
    }
    await Deno.remove(`${folder}/hard-link`);
    (await openKv(file)).close();
  });
});

Deno.test("a call that the opened database never answers ends after 30 seconds", async () => {
  const { now, sleep } = steadyClock;
  const { get, getMany } = Deno.Kv.prototype;
  const opened = await openKv(":memory:");
  let later = 0;
  try {
    Deno.Kv.prototype.getMany = () => new Promise(() => {});
    Deno.Kv.prototype.get = () => new Promise(() => {});
    steadyClock.now = () => now() + later;
    steadyClock.sleep = (ms) => {
      later += ms;
      return Promise.resolve();
    };
    await assert.rejects(opened.kv.get(["a"]), NoAnswer);
    assert.ok(later > 29_000 && later <= 30_000, `${later} ms`);
  } finally {
    Object.assign(steadyClock, { now, sleep });
    Object.assign(Deno.Kv.prototype, { get, getMany });
    opened.close();
  }
});
