import assert from "node:assert/strict";
import { ManualClock } from "../../../dev/testing/manual_clock.ts";
import { memoryLog } from "../../../dev/testing/memory_log.ts";
import { seededRandom } from "../../../dev/testing/seeded_random.ts";
import { tempKv } from "../../../dev/testing/temp_kv.ts";
import { createKeyring } from "../../platform/keys/keyring.ts";
import type { Kv } from "../../platform/kv/port.ts";
import { wrap } from "../../platform/kv/wrap.ts";
import { VERSION } from "../../../shared/version.ts";
import { createProcesses } from "./processes.ts";

const SALT = "a salt for tests, long enough to be one";
const TOKEN = "a token for tests";

/** A database that several processes share. */
async function shared() {
  const temp = await tempKv();
  const clock = new ManualClock();
  const log = memoryLog();
  const kv = wrap(temp.kv, { engine: { ...temp.kv.engine, shared: true } });
  let pid = 0;
  return {
    kv,
    clock,
    log,
    join: (of: { kv?: Kv; salts?: [string, ...string[]]; apiToken?: string; deploy?: boolean } = {}) =>
      createProcesses({
        kv: of.kv ?? kv,
        clock,
        log,
        random: seededRandom(++pid),
        keyring: createKeyring(of.salts ?? [SALT], (of.salts ?? [SALT])[0]),
        config: { apiToken: of.apiToken ?? TOKEN, deploy: of.deploy ?? false },
        self: { host: "one.example", pid },
      }),
    [Symbol.asyncDispose]: () => temp[Symbol.asyncDispose](),
  };
}

Deno.test("processes that share a database see each other, until one leaves", async () => {
  await using database = await shared();
  const [first, second] = [database.join(), database.join()];
  await Promise.all([first.register(), second.register()]);
  await first.register();
  const [row, ...others] = (await first.read()).toSorted((a, b) => a.pid - b.pid);
  assert.deepEqual([row!.pid, row!.host, row!.version, row!.startedAt], [
    1,
    "one.example",
    VERSION,
    database.clock.now(),
  ]);
  assert.deepEqual(others.map(({ pid }) => pid), [2]);
  await first.leave();
  // A tick that was under way.
  await first.register();
  assert.deepEqual((await second.read()).map(({ pid }) => pid), [2]);
});

Deno.test("the row of a process that has died expires after two and a half minutes", async () => {
  await using database = await shared();
  const expiries: unknown[] = [];
  const kv = wrap(database.kv, {
    set: (...[, , options]: Parameters<Kv["set"]>) => Promise.resolve(void expiries.push(options?.expireIn)),
  });
  await database.join({ kv }).register();
  assert.deepEqual(expiries, [150_000]);
});

Deno.test("a row contains neither salt nor token, and equal ones can be recognized, also while a salt is changed", async () => {
  await using database = await shared();
  const NEW = "a new salt for tests, long enough to be one";
  for (const given of [{}, { apiToken: "another" }, { salts: [SALT, NEW] as [string, string] }]) {
    await database.join(given).register();
  }
  const rows = (await database.join().read()).toSorted((a, b) => a.pid - b.pid);
  assert.doesNotMatch(JSON.stringify(rows), /for tests|another/);
  const [plain, token, salted] = rows;
  assert.deepEqual(plain!.salts, token!.salts);
  assert.notEqual(plain!.token, token!.token);
  assert.equal(salted!.token, plain!.token);
  assert.equal(salted!.salts[0], plain!.salts[0]);
  assert.equal(salted!.salts.length, 2);
});

Deno.test("a process measures its clock by that of the database, unless the database responds too slowly", async () => {
  await using database = await shared();
  const { clock, kv } = database;
  const ahead = async (tookMs: number) => {
    const now = async () => {
      await clock.advance(tookMs / 2);
      const theirs = clock.now() - 5_000;
      await clock.advance(tookMs / 2);
      return theirs;
    };
    const process = database.join({ kv: wrap(kv, { now }) });
    await process.register();
    const [row] = await process.read();
    await process.leave();
    return row!.aheadMs;
  };
  assert.equal(await ahead(200), 5_000);
  assert.equal(await ahead(400), undefined);
});

Deno.test("where only one process can open the database, and on Deno Deploy, no process is registered", async () => {
  await using database = await shared();
  const alone = wrap(database.kv, { engine: { ...database.kv.engine, shared: false } });
  for (const process of [database.join({ kv: alone }), database.join({ deploy: true })]) {
    await process.register();
    assert.deepEqual(await process.read(), []);
  }
  assert.deepEqual(await database.join().read(), []);
});

Deno.test("a database that fails ends no tick and no shutdown", async () => {
  await using database = await shared();
  const fail = () => Promise.reject(new Error("unavailable"));
  const process = database.join({ kv: wrap(database.kv, { set: fail, delete: fail }) });
  await process.register();
  await process.leave();
  assert.equal(database.log.of("processes.not_registered").length, 1);
});
