import assert from "node:assert/strict";
import { keys } from "../../platform/kv/keys.ts";
import { eventually } from "../../../dev/testing/eventually.ts";
import { ManualClock } from "../../../dev/testing/manual_clock.ts";
import { startProgram, type TestProgram } from "../../../dev/testing/program.ts";
import { openKv } from "../../platform/kv/open.ts";
import { openDenoKv } from "../../platform/kv/engines/deno_kv.ts";
import { PURGE_DELETED_EVERY_MS, purgeDeleted } from "./purge_deleted_job.ts";

const ANN = "ann-to-be-erased@example.com";
const SERVER = "https://db.example";
const MINUTE_MS = 60_000;

/** Returns which of the database's files contain an email address as plain bytes. */
async function filesWith(file: string, address: string): Promise<string[]> {
  const found: string[] = [];
  for (const end of ["", "-wal"]) {
    const bytes = await Deno.readFile(file + end).catch(() => new Uint8Array());
    if (new TextDecoder("latin1").decode(bytes).includes(address)) found.push(end || "database");
  }
  return found;
}

async function advance(program: TestProgram, clock: ManualClock, ms: number) {
  await clock.advance(ms);
  await program.tick();
  await eventually("no job is due", async () => {
    await program.runner.idle();
    return ((await program.queue.nextDue()) ?? Infinity) > clock.now();
  });
}

async function signUp(program: TestProgram, email: string, ip?: string) {
  const response = await program.subscribe({ email }, ip);
  assert.equal(response.status, 200);
  await response.body?.cancel();
}

Deno.test("a day after an erasure neither the database files nor the sandbox contain the address", async () => {
  const folder = await Deno.makeTempDir();
  const file = `${folder}/cfbe.kv`;
  const clock = new ManualClock();
  {
    await using program = await startProgram({ clock, env: { CFBE_KV: file } });
    const { kv, people } = program.services;
    await signUp(program, "other@example.com", "192.0.2.10");
    await signUp(program, ANN);
    await advance(program, clock, 0);
    await eventually("it was mailed", async () => await program.sandbox!.lastMailTo(ANN) !== null);
    await program.sandbox!.idle();
    assert.ok((await filesWith(file, ANN)).length > 0);

    const { erased } = await people.erase(ANN);
    assert.ok(erased["sandbox"]! > 0);
    assert.equal(await program.sandbox!.lastMailTo(ANN), null);
    await advance(program, clock, 2 * MINUTE_MS);
    assert.ok((await filesWith(file, ANN)).length > 0, "SQLite only marks rows as free");

    await advance(program, clock, PURGE_DELETED_EVERY_MS);
    assert.deepEqual(await filesWith(file, ANN), []);
    assert.equal((await kv.get(keys.purgeDue())).value, null);
    // The service keeps running on the same database.
    await signUp(program, "later@example.com", "192.0.2.99");
    await advance(program, clock, 0);
    assert.ok((await people.export("other@example.com")).held["signups"]!.length > 0);
  }
  await using again = await startProgram({ clock, env: { CFBE_KV: file } });
  assert.ok((await again.services.people.export("later@example.com")).held["signups"]!.length > 0);
  assert.deepEqual(await filesWith(file, ANN), []);
});

Deno.test("without a deletion the file is not rewritten", async () => {
  const folder = await Deno.makeTempDir();
  const clock = new ManualClock();
  await using program = await startProgram({ clock, env: { CFBE_KV: `${folder}/cfbe.kv` } });
  await signUp(program, ANN);
  await advance(program, clock, PURGE_DELETED_EVERY_MS);
  assert.ok(!program.lines.some((line) => line.includes("purge.done")));
});

Deno.test("another database that has taken the path of the one in use is not rewritten", async () => {
  const folder = await Deno.makeTempDir();
  const file = `${folder}/cfbe.kv`;
  const other = `${folder}/other.kv`;
  {
    await using program = await startProgram({ env: { CFBE_KV: file } });
    const { services } = program;
    await signUp(program, ANN);
    await services.people.erase(ANN);
    await services.databaseHealth.probeNow();
    const kv = await openDenoKv(other);
    for (let n = 0; n < 50; n++) await kv.set(["other", n], "x".repeat(1_000));
    for (let n = 0; n < 50; n++) await kv.delete(["other", n]);
    await kv.close();
    const bytes = await Deno.readFile(other);
    await Deno.rename(other, file);

    const job = purgeDeleted({ ...services, file: () => file });
    const running = { signal: new AbortController().signal } as never;
    const result = await job.handle(running);
    assert.deepEqual([result.kind, await Deno.readFile(file)], ["snooze", bytes]);
  }
  await Deno.remove(folder, { recursive: true });
});

for (const to of ["another file, whose bytes are purged", "a server, which decides about them itself"]) {
  Deno.test(`after a move, the file of the old database is not touched any more: to ${to}`, async () => {
    const folder = await Deno.makeTempDir();
    const [old, fresh] = [`${folder}/cfbe.kv`, `${folder}/fresh.kv`];
    const isFile = to.includes("file");
    const clock = new ManualClock();
    {
      await using program = await startProgram({
        clock,
        env: { CFBE_KV: old, CFBE_API_TOKEN: "a-token-for-the-tests-of-purges" },
        open: (address) => openKv(address === SERVER ? ":memory:" : address),
      });
      const { kv, people } = program.services;
      await program.moves.move(isFile ? fresh : SERVER);
      await signUp(program, ANN);
      await advance(program, clock, 0);
      await eventually("it was mailed", async () => await program.sandbox!.lastMailTo(ANN) !== null);
      await program.sandbox!.idle();
      if (isFile) assert.ok((await filesWith(fresh, ANN)).length > 0);
      await people.erase(ANN);
      await advance(program, clock, 2 * MINUTE_MS);
      await Deno.remove(old);
      await advance(program, clock, PURGE_DELETED_EVERY_MS);
      assert.equal((await kv.get(keys.purgeDue())).value, null);
      assert.equal(program.lines.filter((line) => line.includes("purge.done")).length, isFile ? 1 : 0);
      if (isFile) assert.deepEqual(await filesWith(fresh, ANN), []);
    }
    await Deno.remove(folder, { recursive: true });
  });
}

Deno.test("after a move, the file of the new database is the one whose loss is noticed", async () => {
  const folder = await Deno.makeTempDir();
  const [old, fresh] = [`${folder}/cfbe.kv`, `${folder}/fresh.kv`];
  {
    await using program = await startProgram({ env: { CFBE_KV: old } });
    const { databaseHealth } = program.services;
    await program.moves.move(fresh);
    await Deno.remove(old);
    await databaseHealth.probeNow();
    assert.equal(databaseHealth.failure(), undefined);
    await Deno.rename(fresh, `${fresh}.lost`);
    await databaseHealth.probeNow();
    assert.equal(databaseHealth.failure()?.cause, "missing");
  }
  await Deno.remove(folder, { recursive: true });
});
