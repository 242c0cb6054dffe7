/**
 * Restores backups whose rows have the longest values that the limits allow, with the real command line, and kills it
 * meanwhile: run with `deno task test:restore`. `CFBE_TEST_KV` names a KV Connect server to restore into as well, whose
 * database is replaced.
 */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { fileURLToPath } from "node:url";
import { createKeyring } from "../../server/platform/keys/keyring.ts";
import { createBatches } from "../../server/platform/kv/batches.ts";
import { keys } from "../../server/platform/kv/keys.ts";
import { openKv } from "../../server/platform/kv/open.ts";
import { type BackupRow, newHeader, readBackup, writeBackup } from "../../server/operations/backup/file.ts";
import { isHalfRestored } from "../../server/operations/backup/restores.ts";
import { takeBackup } from "../../server/operations/backup/snapshot.ts";
import { longestRows } from "../../server/operations/backup/testing/longest_rows.ts";
import { systemClock } from "../../server/platform/deps.ts";
import { testSize } from "../../dev/testing/test_size.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const SALT = "a salt for tests, long enough to be one";
const RECORDS = testSize("CFBE_TEST_RESTORE_RECORDS", 0);
const KILLS = testSize("CFBE_TEST_RESTORE_KILLS", 0);
const ignore = RECORDS === 0;
const SERVER = Deno.env.get("CFBE_TEST_KV");
const keyring = createKeyring([SALT]);

/** Writes a backup with many signups, and one of each other row for every hundred of them. */
async function writeLongest(path: string, signups: number): Promise<void> {
  const backup = writeBackup(newHeader(keyring, Date.now()), longestRows(signups, Math.ceil(signups / 100)));
  await Deno.writeFile(path, backup);
}

function command(kv: string, ...args: string[]): Deno.ChildProcess {
  return new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--no-check", "--node-modules-dir=manual", "server/cli/main.ts", ...args],
    cwd: ROOT,
    // Nobody listens on port 1.
    env: { CFBE_KV: kv, CFBE_SALT: SALT, PORT: "1", NO_COLOR: "1" },
    stdout: "piped",
    stderr: "piped",
  }).spawn();
}

/** Runs a command to its end, and returns its output, its time in seconds and its memory in MB. */
async function run(kv: string, ...args: string[]) {
  const startedAt = performance.now();
  const child = command(kv, ...args);
  let peak = 0;
  const watch = setInterval(() => peak = Math.max(peak, memoryOf(child.pid)), 100);
  const { success, stdout, stderr } = await child.output();
  clearInterval(watch);
  const [out, err] = [stdout, stderr].map((bytes) => new TextDecoder().decode(bytes));
  assert.ok(success, err);
  return { out: out!, seconds: (performance.now() - startedAt) / 1000, megabytes: peak };
}

/** Returns the most memory that a process has used, in MB; 0 where the system does not say so. */
function memoryOf(pid: number): number {
  try {
    const status = Deno.readTextFileSync(`/proc/${pid}/status`);
    return Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024;
  } catch {
    return 0;
  }
}

/** Returns the number of rows by family, and a checksum of all of them without what a restore changes. */
async function contentOf(backup: ReadableStream<Uint8Array>) {
  const counts: Record<string, number> = {};
  const hash = createHash("sha256");
  await readBackup(backup as ReadableStream<Uint8Array<ArrayBuffer>>, ({ key, value }) => {
    const family = String(key[2]);
    if (!COMPARED.includes(family)) return;
    counts[family] = (counts[family] ?? 0) + 1;
    hash.update(JSON.stringify([key, unchanged({ key, value })]));
  });
  return { counts, checksum: hash.digest("hex") };
}

const COMPARED = ["signup", "cart", "image", "consent", "job", "log"];

/** Returns the value without what is different after a restore, because emails may have been sent. */
function unchanged({ key, value }: BackupRow): unknown {
  if (key[2] === "cart") return { ...value as object, mail: undefined };
  if (key[2] === "job") return { ...value as object, unknown: undefined, history: undefined };
  return value;
}

async function inFolder(test: (folder: string) => Promise<void>): Promise<void> {
  const folder = await Deno.makeTempDir({ prefix: "cfbe-restore-" });
  try {
    await test(folder);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

for (const engine of SERVER ? ["a file", "a KV Connect server"] : ["a file"]) {
  Deno.test(
    `${RECORDS} signups with the longest values are restored into ${engine}, and every row is the same`,
    { ignore },
    () =>
      inFolder(async (folder) => {
        const file = `${folder}/longest.gz`;
        await writeLongest(file, RECORDS);
        const address = engine === "a file" ? `${folder}/cfbe.kv` : SERVER!;
        const { seconds, megabytes } = await run(address, "restore", file, "--replace", "--yes");
        report(`restored into ${engine}`, seconds, megabytes);
        const opened = await openKv(address);
        try {
          const restored = await contentOf(takeBackup({ kv: opened.kv, clock: systemClock, keyring }));
          assert.deepEqual(restored, await contentOf((await Deno.open(file)).readable));
          assert.equal(restored.counts["signup"], RECORDS);
        } finally {
          if (engine !== "a file") {
            const batches = createBatches(opened.kv);
            for await (const { key } of opened.kv.list({ prefix: [] })) {
              await batches.add((tx) => tx.delete(key));
            }
            await batches.flush();
          }
          opened.close();
        }
      }),
  );
}

Deno.test(
  `a backup of ${RECORDS} signups with the longest values is verified in memory`,
  { ignore },
  () =>
    inFolder(async (folder) => {
      const file = `${folder}/longest.gz`;
      await writeLongest(file, RECORDS);
      const { out, seconds, megabytes } = await run(`${folder}/none.kv`, "backup", "verify", file);
      assert.match(out, /the backup can be restored/);
      report("verified in memory", seconds, megabytes);
      assert.equal((await Array.fromAsync(Deno.readDir(folder))).length, 1, "no database was created");
    }),
);

function report(what: string, seconds: number, megabytes: number): void {
  console.log(`${RECORDS} signups ${what}: ${seconds.toFixed(1)} s, ${megabytes.toFixed(0)} MB`);
}

for (const before of ["signups", "nothing"]) {
  Deno.test(
    `a restore over ${before} that is killed leaves the old state, the new one, or a database on which no service starts`,
    { ignore: KILLS === 0 },
    () =>
      inFolder(async (folder) => {
        const [old, longest, kv] = [`${folder}/old.gz`, `${folder}/longest.gz`, `${folder}/cfbe.kv`];
        await writeLongest(old, 3);
        await writeLongest(longest, RECORDS);
        const { seconds } = await run(`${folder}/other.kv`, "restore", longest);
        const states = new Set<string>();
        for (let kill = 0; kill < KILLS; kill++) {
          for (const path of [kv, `${kv}-wal`, `${kv}-shm`]) await Deno.remove(path).catch(() => {});
          if (before === "signups") await run(kv, "restore", old);
          const child = command(kv, "restore", longest, "--replace", "--yes");
          const ended = child.output();
          await new Promise((resolve) => setTimeout(resolve, seconds * 1000 * (kill + 1) / (KILLS + 1)));
          try {
            child.kill("SIGKILL");
          } catch {
            // It has ended.
          }
          await ended;
          const state = await stateOf(kv);
          states.add(state);
          const allowed = before === "signups" ? ["3 signups", `${RECORDS} signups`] : [
            "no database",
            "0 signups",
            "restore interrupted",
            `${RECORDS} signups`,
          ];
          assert.ok(allowed.includes(state), state);
        }
        await run(kv, "restore", longest, "--replace", "--yes");
        assert.equal(await stateOf(kv), `${RECORDS} signups`);
        const files = (await Array.fromAsync(Deno.readDir(folder), ({ name }) => name)).filter((name) =>
          name.includes("restoring")
        );
        assert.deepEqual(files, []);
        console.log(`${KILLS} kills over ${before}: ${[...states].join(", ")}`);
      }),
  );
}

/** Returns what a start would find. */
async function stateOf(file: string): Promise<string> {
  if (!await Deno.stat(file).then(() => true, () => false)) return "no database";
  const { kv, close } = await openKv(file);
  try {
    if (await isHalfRestored(kv)) return "restore interrupted";
    let signups = 0;
    for await (const _ of kv.list({ prefix: keys.family("signup") }, { batchSize: 500 })) signups++;
    return `${signups} signups`;
  } finally {
    close();
  }
}
