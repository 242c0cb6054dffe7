import assert from "node:assert/strict";
import { readProblems } from "../checks/registry.ts";
import { startProgram } from "../../../dev/testing/program.ts";
import { ManualClock } from "../../../dev/testing/manual_clock.ts";
import { openKv } from "../../platform/kv/open.ts";
import { diagnose } from "../doctor/doctor.ts";

/** Tests a full disk on a real one: a small file system in memory, which only root can mount. */

const SIZE = 8 * 1024 * 1024;

async function succeeds(command: string, ...args: string[]): Promise<boolean> {
  const output = new Deno.Command(command, { args, stdout: "null", stderr: "null" }).output();
  return await output.then(({ success }) => success, () => false);
}

/** Mounts a small disk; undefined where this user can't. */
async function smallDisk() {
  const folder = await Deno.makeTempDir({ prefix: "cfbe-disk-" });
  if (!await succeeds("mount", "-t", "tmpfs", "-o", `size=${SIZE}`, "tmpfs", folder)) {
    await Deno.remove(folder);
    return undefined;
  }
  return {
    folder,
    async [Symbol.asyncDispose]() {
      await succeeds("umount", "--lazy", folder);
      await Deno.remove(folder);
    },
  };
}

/** Shared by the tests; undefined where this user can't mount one. */
const disk = await smallDisk();
Deno.test.afterAll(async () => await disk?.[Symbol.asyncDispose]());

/** Registers a test in a folder of its own on the disk. */
function onDisk(name: string, test: (folder: string) => Promise<void>): void {
  Deno.test({
    name: disk ? name : `${name} (skipped: this user can't mount a file system)`,
    ignore: !disk,
    async fn() {
      const folder = await Deno.makeTempDir({ dir: disk!.folder });
      try {
        await test(folder);
      } finally {
        await Deno.remove(folder, { recursive: true });
      }
    },
  });
}

/** Writes a file until no more than `left` bytes are free. */
async function fill(path: string, left = 0) {
  using file = await Deno.open(path, { create: true, write: true });
  const block = new Uint8Array(64 * 1024);
  const { statfs } = await import("node:fs/promises");
  for (;;) {
    const { bfree, bsize } = await statfs(path);
    if (bfree * bsize <= left) return;
    try {
      await file.write(block.subarray(0, Math.min(block.length, bfree * bsize - left)));
    } catch {
      return;
    }
  }
}

onDisk(
  "a full disk is named by readyz, the alert and the doctor, is announced before, and needs no restart after",
  async (folder) => {
    const clock = new ManualClock(Date.now());
    await using program = await startProgram({ run: false, clock, env: { CFBE_KV: `${folder}/cfbe.kv` } });
    const { services, baseUrl } = program;
    let people = 0;
    const signUp = async () => {
      people += 1;
      const response = await program.subscribe(
        { email: `person-${people}@example.com` },
        `192.0.2.${people}`,
      );
      await response.body?.cancel();
      return response.status;
    };
    const minute = async () => {
      await clock.advance(60_000);
      await services.databaseHealth.probe();
      await services.databaseAlert.check();
    };
    const readyz = async () => {
      const response = await fetch(`${baseUrl}/readyz`);
      return [response.status, (await response.json()).databaseCause];
    };
    const problems = async () =>
      (await readProblems(services, ({ overview }) => overview)).map(({ id }) => id);
    await minute();
    assert.deepEqual([await signUp(), await readyz()], [200, [200, undefined]]);
    assert.ok(!(await problems()).includes("disk.low"));

    await fill(`${folder}/other`, SIZE / 20);
    await minute();
    assert.deepEqual([await signUp(), await readyz()], [200, [200, undefined]]);
    assert.ok((await problems()).includes("disk.low"));
    const before = await diagnose(services, { fetch });
    assert.match(before.findings.find(({ id }) => id === "disk.low")!.what, /^Only 0 MB are free/);

    await fill(`${folder}/other`);
    for (let tries = 0; tries < 20 && await signUp() === 200; tries += 1);
    assert.equal(await signUp(), 503);
    assert.deepEqual(await readyz(), [503, "full"]);
    await minute();
    assert.deepEqual(await readyz(), [503, "full"]);
    assert.match(
      services.databaseAlert.open()[0]!.problem.what,
      /^The disk of \S+ is full\. Signups are rejected\.$/,
    );
    const { findings } = await diagnose(services, { fetch });
    const found = findings.find(({ id }) => id === "database.not_writable")!;
    assert.match(`${found.what} ${found.todo}`, /^The disk of \S+ is full\. .* Free some space\./);

    await Deno.remove(`${folder}/other`);
    assert.equal(await signUp(), 200);
    await minute();
    assert.deepEqual(await readyz(), [200, undefined]);
    for (let minutes = 0; minutes < 5; minutes += 1) await minute();
    assert.deepEqual(services.databaseAlert.open(), []);
  },
);

onDisk(
  "a start on a full disk says that the disk is full, and not that a file may be lost",
  async (folder) => {
    await (await openKv(`${folder}/cfbe.kv`)).close();
    await fill(`${folder}/other`);
    await assert.rejects(
      openKv(`${folder}/cfbe.kv`),
      { message: `The disk of ${folder} is full. Free some space, then start cfbe again.` },
    );
    await Deno.remove(`${folder}/other`);
    await (await openKv(`${folder}/cfbe.kv`)).close();
  },
);
