import assert from "node:assert/strict";
import type { FileReport } from "../kv/database_file.ts";
import { type Kv, UnreadableRow } from "../kv/port.ts";
import { committing } from "../kv/operation.ts";
import type { DatabaseCause } from "../kv/trouble.ts";
import { wrap } from "../kv/wrap.ts";
import { ManualClock } from "../../../dev/testing/manual_clock.ts";
import { memoryLog } from "../../../dev/testing/memory_log.ts";
import { tempKv } from "../../../dev/testing/temp_kv.ts";
import { createDatabaseHealth } from "./database_health.ts";

/** A database whose commits and reads fail while `fails` is set. */
async function failing(inspect?: () => FileReport) {
  const temp = await tempKv();
  const clock = new ManualClock();
  const log = memoryLog();
  const world = { fails: undefined as Error | undefined, commits: 0 };
  const call = <T>(work: () => Promise<T>) => world.fails ? Promise.reject(world.fails) : work();
  const inner = wrap(temp.kv, {
    get: (...args: Parameters<Kv["get"]>) => call(() => temp.kv.get(...args)),
    set: (...args: Parameters<Kv["set"]>) => call(() => temp.kv.set(...args)),
    ...committing((operation) => {
      world.commits += 1;
      return call(() => temp.kv.commit(operation));
    }),
  });
  const health = createDatabaseHealth({
    clock,
    log,
    ...(inspect && { inspect: () => Promise.resolve(inspect()) }),
  });
  return Object.assign(world, {
    clock,
    log,
    health,
    kv: health.watch(inner),
    [Symbol.asyncDispose]: () => temp[Symbol.asyncDispose](),
  });
}

const write = (kv: Kv) => kv.atomic().set(["a"], 1).commit().then(() => {}, () => {});

const ERRORS: readonly [string, DatabaseCause | undefined][] = [
  ["database or disk is full", "full"],
  ["No space left on device (os error 28)", "full"],
  ["attempt to write a readonly database", "read_only"],
  ["Read-only file system (os error 30)", "read_only"],
  ["database disk image is malformed", "damaged"],
  ["file is not a database", "damaged"],
  ["Unexpected token 'x', \"x{\" is not valid JSON", "damaged"],
  ["unable to open database file", "denied"],
  ["Permission denied (os error 13)", "denied"],
  ["disk I/O error", "io"],
  ["error sending request for url (http://127.0.0.1:1/)", "unreachable"],
  ["something new", "other"],
  ["Too many checks included in atomic write", undefined],
  ["Value too large (max 65536 bytes)", undefined],
];
for (const [message, cause] of ERRORS) {
  Deno.test(`the error “${message}” is ${cause ? `the failure ${cause}` : "no failure"} of the database`, async () => {
    await using world = await failing();
    world.fails = new TypeError(message);
    await write(world.kv);
    assert.equal(world.health.failure()?.cause, cause);
    assert.equal(world.log.of("database.failed").length, cause ? 1 : 0);
  });
}

Deno.test("a success of the same kind of call ends a failure that passes by itself, and one of another kind does not", async () => {
  await using world = await failing();
  world.fails = new Error("connection reset");
  await write(world.kv);
  world.fails = undefined;
  await world.kv.get(["a"]);
  assert.equal(world.health.failure()?.cause, "unreachable");
  await write(world.kv);
  assert.equal(world.health.failure(), undefined);
});

Deno.test("on a full disk, small commits that succeed between those that fail do not hide the failure", async () => {
  await using world = await failing();
  const first = world.clock.now();
  for (let minute = 0; minute < 3; minute += 1) {
    world.fails = new Error("database or disk is full");
    await write(world.kv);
    world.fails = undefined;
    await write(world.kv);
    assert.deepEqual(
      [world.health.failure()?.cause, world.health.failure()?.since],
      ["full", first],
    );
    await world.clock.advance(30_000);
  }
  assert.equal(world.log.of("database.failed").length, 1);
  await world.clock.advance(30_000);
  assert.equal(world.health.failure(), undefined);
});

Deno.test("damage is remembered when later calls succeed, because no success repairs it", async () => {
  await using world = await failing();
  world.fails = new Error("database disk image is malformed");
  await write(world.kv);
  world.fails = undefined;
  await write(world.kv);
  await world.clock.advance(60_000);
  assert.equal(world.health.failure(), undefined);
  assert.match(world.health.damage()!.reason, /malformed/);
});

Deno.test("a row that can't be read is damage, but fails the database only with ten of them in a minute", async () => {
  await using world = await failing();
  const { kv, health, clock } = world;
  async function read(row: number) {
    world.fails = new UnreadableRow(["cfbe", 1, "record", row]);
    await assert.rejects(() => kv.get(["cfbe", 1, "record", row]));
    world.fails = undefined;
  }
  for (let again = 0; again < 20; again++) await read(1);
  for (let row = 2; row < 10; row++) await read(row);
  assert.deepEqual([health.failure(), health.damage()?.ofRows], [undefined, true]);
  await clock.advance(60_000);
  await read(11);
  assert.equal(health.failure(), undefined);
  for (let row = 0; row < 9; row++) await read(row);
  assert.deepEqual([health.failure()?.cause, health.damage()?.ofRows], ["damaged", undefined]);
});

Deno.test("however often it is asked for, a probe commits once a minute, or every 10 seconds while the database fails", async () => {
  await using world = await failing();
  const commitsIn = async (seconds: number) => {
    world.commits = 0;
    for (let second = 0; second < seconds; second += 1) {
      await Promise.all(Array.from({ length: 20 }, () => world.health.probe()));
      await world.clock.advance(1_000);
    }
    return world.commits;
  };
  assert.equal(await commitsIn(120), 2);
  world.fails = new Error("database or disk is full");
  await write(world.kv);
  assert.equal(await commitsIn(60), 6);
});

Deno.test("a probe leaves no row", async () => {
  await using world = await failing();
  await world.health.probeNow();
  assert.deepEqual(await Array.fromAsync(world.kv.list({ prefix: [] })), []);
  assert.equal(world.commits, 1);
});

Deno.test("a file that is replaced, removed, or on a full or read-only disk is a failure until it is in place again", async () => {
  const disk = { folder: "/data", free: 1e9, total: 1e10 };
  let report: FileReport = { disk };
  await using world = await failing(() => report);
  const causeWith = async (next: FileReport) => {
    report = next;
    await world.health.probeNow();
    return world.health.failure()?.cause;
  };
  assert.equal(await causeWith({ disk }), undefined);
  for (const cause of ["replaced", "missing", "full", "read_only"] as const) {
    assert.equal(await causeWith({ disk, trouble: { cause, reason: "as it is" } }), cause);
  }
  assert.equal(await causeWith({ disk }), undefined);
  assert.deepEqual(world.health.disk(), disk);
});
