import assert from "node:assert/strict";
import { join } from "node:path";
import { type Harness, harness } from "../../../../dev/testing/harness.ts";
import type { ScheduledBackups } from "../../../platform/config/config.ts";
import type { RunningJob } from "../../../platform/jobs/handler.ts";
import { readBackupLog } from "../backup_log.ts";
import { decrypted, newBackupKey } from "../encryption.ts";
import { readBackup } from "../file.ts";
import { type Files, scheduledBackup } from "./backup_job.ts";
import { backupName } from "./kept_files.ts";

const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;

async function prepared(more: Partial<ScheduledBackups> = {}) {
  const parent = await Deno.makeTempDir();
  const app = await harness();
  const backups = { folder: join(parent, "backups"), everyMs: DAY_MS, kept: 2, recipients: [], ...more };
  const stop = new AbortController();
  return {
    app,
    folder: backups.folder,
    stop,
    run: (files?: Files) =>
      scheduledBackup({ ...app.services, audit: app.services.admin.audit, backups }, files)
        .handle({ signal: stop.signal } as RunningJob<null>),
    names: () => Array.from(Deno.readDirSync(backups.folder), ({ name }) => name).sort(),
    history: () => readBackupLog(app.kv, app.clock.now()),
    async [Symbol.asyncDispose]() {
      await app[Symbol.asyncDispose]();
      await Deno.remove(parent, { recursive: true });
    },
  };
}

const open = async (path: string) => (await Deno.open(path)).readable;
const signUp = async (app: Harness) => await (await app.post({ email: "ada@example.com" })).body?.cancel();

Deno.test("a scheduled backup is complete, private, noted and in the audit log, and the oldest ones make room", async () => {
  await using job = await prepared();
  await signUp(job.app);
  for (let day = 0; day < 3; day++) {
    assert.deepEqual(await job.run(), { kind: "done" });
    await job.app.clock.advance(DAY_MS);
  }
  const names = job.names();
  assert.equal(names.length, 2);
  const keys: unknown[] = [];
  await readBackup(await open(join(job.folder, names[1]!)), ({ key }) => void keys.push(key));
  assert.match(JSON.stringify(keys), /ada@example\.com/);
  assert.equal((await Deno.stat(join(job.folder, names[1]!))).mode! & 0o777, 0o600);
  assert.equal((await Deno.stat(job.folder)).mode! & 0o777, 0o700);
  assert.equal((await job.history()).completedAt.length, 3);
  const [latest] = (await job.app.services.admin.audit.list()).rows;
  assert.deepEqual([latest?.who, latest?.action, latest?.result], ["cfbe", "cfbe_backup", "done"]);
});

Deno.test("backups are kept as before when the clock was ahead for some days and is right again", async () => {
  await using job = await prepared();
  const start = job.app.clock.now();
  const runOn = async (day: number) => {
    job.app.clock.set(start + day * DAY_MS);
    assert.deepEqual(await job.run(), { kind: "done" });
    return backupName(job.app.clock.now(), false);
  };
  await runOn(0);
  await runOn(366);
  const ahead = await runOn(367);
  const first = await runOn(3);
  assert.deepEqual(job.names(), [first, ahead]);
  const second = await runOn(4);
  assert.deepEqual(job.names(), [first, second]);
});

Deno.test("an encrypted backup can be read with the secret key of each recipient, and with no other", async () => {
  const keys = [await newBackupKey(), await newBackupKey(), await newBackupKey()];
  await using job = await prepared({ recipients: keys.slice(0, 2).map(({ recipient }) => recipient) });
  await signUp(job.app);
  assert.deepEqual(await job.run(), { kind: "done" });
  const [name] = job.names();
  assert.match(name!, /\.age$/);
  const path = join(job.folder, name!);
  assert.ok(!new TextDecoder("latin1").decode(await Deno.readFile(path)).includes("cfbe-backup"));
  for (const { identity } of keys.slice(0, 2)) {
    assert.ok((await readBackup(await decrypted(await open(path), [identity]))).rows > 0);
  }
  for (const identities of [[], [keys[2]!.identity]]) {
    await assert.rejects(async () => await decrypted(await open(path), identities), { name: "NotDecrypted" });
  }
  const bytes = await Deno.readFile(path);
  bytes[bytes.length - 40]! ^= 1;
  await Deno.writeFile(path, bytes);
  await assert.rejects(async () => await readBackup(await decrypted(await open(path), [keys[0]!.identity])), {
    name: "BadBackup",
  });
});

Deno.test("whichever step fails, older backups stay, the failure is noted, and it is tried again in an hour", async () => {
  await using job = await prepared();
  await job.run();
  const before = job.names();
  const completedAt = (await job.history()).completedAt;
  const full = () => Promise.reject(new Error("No space left on device (os error 28)"));
  const isDraft = (path: unknown) => String(path).endsWith(".partial");
  const short: Files["open"] = async (path, options) => {
    if (options?.createNew) return await Deno.open(path, options);
    await Deno.truncate(`${path}`, 20);
    return await Deno.open(path);
  };
  const fails: Record<string, Partial<Files>> = {
    "making the folder": { mkdir: full },
    "creating the file": { open: full },
    "reading it back": { open: short },
    "naming it": { rename: full },
  };
  for (const [step, files] of Object.entries(fails)) {
    await job.app.clock.advance(HOUR_MS);
    const result = await job.run({ ...Deno, ...files });
    assert.equal(result.kind, "snooze", step);
    assert.equal(result.kind === "snooze" && result.until, job.app.clock.now() + HOUR_MS);
    const history = await job.history();
    assert.deepEqual([history.completedAt, history.failedAt], [completedAt, job.app.clock.now()], step);
    assert.match(history.failure!, step === "reading it back" ? /truncated|gzip/ : /No space left/);
    assert.deepEqual(job.names(), before, step);
  }
  // What can't be deleted does no harm to what is new.
  await job.app.clock.advance(HOUR_MS);
  const keepsAll = { ...Deno, remove: (path: string | URL) => isDraft(path) ? Deno.remove(path) : full() };
  for (let hour = 0; hour < 2; hour++) {
    await job.app.clock.advance(HOUR_MS);
    assert.deepEqual(await job.run(keepsAll), { kind: "done" });
  }
  assert.equal(job.names().length, 3);
});

Deno.test("a draft of a process that died is deleted by the next backup, and a stop in the middle leaves none", async () => {
  await using job = await prepared();
  await Deno.mkdir(job.folder);
  await Deno.writeTextFile(join(job.folder, "cfbe-2026-01-31T030405Z.backup.partial"), "half");
  assert.deepEqual(await job.run(), { kind: "done" });
  assert.equal(job.names().length, 1);

  job.stop.abort();
  await job.app.clock.advance(HOUR_MS);
  const stopped = await job.run();
  assert.deepEqual([stopped.kind, job.names().length], ["snooze", 1]);
  assert.equal((await job.history()).failedAt, undefined);
});

Deno.test("a process that makes no backups leaves the job to others for six hours, and then ends it", async () => {
  await using app = await harness();
  const { handle } = scheduledBackup({
    ...app.services,
    audit: app.services.admin.audit,
    backups: undefined,
  });
  const createdAt = app.clock.now();
  const run = () => handle({ createdAt } as RunningJob<null>);
  await app.clock.advance(6 * HOUR_MS - 1);
  const waiting = await run();
  assert.equal(waiting.kind === "snooze" && waiting.until, app.clock.now() + 60_000);
  await app.clock.advance(1);
  assert.equal((await run()).kind, "cancel");
});
