import assert from "node:assert/strict";
import { CrashingKv } from "../../../dev/testing/crashing_kv.ts";
import { ManualClock } from "../../../dev/testing/manual_clock.ts";
import { memoryLog } from "../../../dev/testing/memory_log.ts";
import { seededRandom } from "../../../dev/testing/seeded_random.ts";
import { steadyClock } from "../../platform/deps.ts";
import { createKeyring } from "../../platform/keys/keyring.ts";
import { aroundCalls } from "../../platform/kv/around_calls.ts";
import { DatabaseMoved } from "../../platform/kv/gate.ts";
import { keys } from "../../platform/kv/keys.ts";
import { type OpenedKv, openKv } from "../../platform/kv/open.ts";
import type { Kv } from "../../platform/kv/port.ts";
import { moveDatabase } from "./move.ts";
import { CLOSED_TOO_LONG_MS, createMoves } from "./moves.ts";
import { requireUsable } from "./require_usable.ts";
import { openSide } from "./sides.ts";

const TO = "postgres://cfbe:geheim@db.example/cfbe";
const keyring = createKeyring(["a salt for tests, long enough to be one"]);
const rowKey = (n: number) => [...keys.all(), "signup", n];

/** Two databases, and processes that use the first one; the second is at `TO`. */
async function world() {
  const stack = new AsyncDisposableStack();
  const log = memoryLog();
  const clock = new ManualClock();
  const memory = async (): Promise<OpenedKv> => {
    const opened = await openKv(":memory:");
    stack.defer(() => opened.close());
    return { ...opened, close: () => Promise.resolve() };
  };
  const [old, fresh] = [await memory(), await memory()];
  for (let n = 0; n < 50; n++) await old.kv.set(rowKey(n), { v: 1, n });
  /** How calls to the new database are made. */
  const around: { target: (raw: Kv) => Kv } = { target: (raw) => raw };
  const open = (address: string) => {
    assert.equal(address, TO);
    return Promise.resolve({ ...fresh, raw: around.target(fresh.raw) });
  };
  const process = (own = old) =>
    createMoves({
      database: { ...own, exclusive: false },
      config: { kv: undefined, salt: undefined, apiToken: undefined },
      open,
      keyring: () => keyring,
      log: () => log,
      random: seededRandom(1),
      clock,
      steadyClock: clock,
      rest: 0,
    });
  return {
    ...{ old, fresh, around, open, process, clock, log },
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}

const count = async (kv: Kv) => (await Array.fromAsync(kv.list({ prefix: keys.family("signup") }))).length;

Deno.test("every process goes on with the new database after its next commit was refused, without a restart", async () => {
  await using here = await world();
  const [one, other] = [here.process(), here.process()];
  await other.kv.set(rowKey(100), { v: 1 });
  const { to, rows } = await one.move(TO);
  assert.deepEqual([to, rows], ["postgres://cfbe:…@db.example/cfbe", 51]);
  await one.kv.set(rowKey(101), { v: 1 });
  await assert.rejects(other.kv.set(rowKey(102), { v: 1 }), DatabaseMoved);
  while (!other.hasMoved()) await new Promise((resolve) => setTimeout(resolve));
  await other.kv.set(rowKey(102), { v: 1 });
  assert.deepEqual([await count(here.old.kv), await count(here.fresh.kv)], [51, 53]);
  assert.equal(here.log.of("database.moved").length, 2);
  assert.doesNotMatch(JSON.stringify(here.log.of("database.moved")), /geheim/);
});

Deno.test("a new database that fails in the middle changes nothing, and the move goes on or can be canceled", async () => {
  for (const then of ["goes on", "is canceled"]) {
    await using here = await world();
    const moves = here.process();
    let calls = 0;
    here.around.target = (raw) =>
      aroundCalls(raw, async (call) => {
        const isLost = ++calls > 6;
        const answer = await call;
        if (isLost) throw new Error("connection lost");
        return answer;
      });
    await assert.rejects(moves.move(TO), {
      name: "MoveFailed",
      message:
        /^The move has stopped\. postgres:\/\/cfbe:…@db\.example\/cfbe failed: connection lost\. Nothing is lost/,
    });
    await moves.kv.set(rowKey(100), { v: 1 });
    here.around.target = (raw) => raw;
    if (then === "is canceled") {
      assert.deepEqual(await moves.cancel(), { to: "postgres://cfbe:…@db.example/cfbe", emptied: true });
      assert.equal(await count(here.fresh.kv), 0);
      assert.deepEqual((await Array.fromAsync(here.fresh.raw.list({ prefix: [] }))).map(({ key }) => key), [
        keys.move(),
      ]);
      assert.equal((await openSide(here.old.raw)).gate.row, undefined);
      await assert.rejects(moves.cancel(), /No move of this database has begun/);
    }
    await moves.move(TO);
    assert.equal(await count(here.fresh.kv), 51);
    assert.equal((await moves.move(TO)).rows, undefined, "complete already");
  }
});

Deno.test("a database that a process left closed when it died is open again after a quarter of a minute", async () => {
  await using here = await world();
  const side = await openSide(here.old.raw);
  const gate = { v: 1, id: "a move", to: "there", sealed: "", at: 1 } as const;
  await side.setGate({ ...gate, phase: "closing" });
  const moves = here.process();
  await assert.rejects(moves.kv.set(rowKey(1), {}), DatabaseMoved);
  await moves.check();
  await here.clock.advance(CLOSED_TOO_LONG_MS - 1);
  await moves.check();
  await assert.rejects(moves.kv.set(rowKey(1), {}), DatabaseMoved);
  await here.clock.advance(1);
  await moves.check();
  await moves.kv.set(rowKey(1), {});
});

Deno.test("a database whose last changes take longer than two seconds opens again before the next try", async () => {
  await using here = await world();
  const phase = async () => (await openSide(here.old.raw)).gate.row?.phase;
  const phases: (string | undefined)[] = [];
  const raw = aroundCalls(here.old.raw, async (call) => {
    const result = await call;
    const now = await phase();
    if (now === phases.at(-1)) return result;
    phases.push(now);
    if (phases.join() === "copying,closing") here.clock.set(here.clock.now() + 2_000);
    return result;
  });
  const { rows, closedMs } = await here.process({ ...here.old, raw }).move(TO);
  assert.deepEqual(phases, ["copying", "closing", "copying", "closing", "moved"]);
  assert.deepEqual([rows, closedMs], [50, 0]);
});

Deno.test("no program starts with a database whose data has moved away, and it says where to, without a password", async () => {
  await using here = await world();
  await here.process().move(TO);
  const deps = { clock: here.clock, open: here.open, keyring: () => Promise.resolve(keyring) };
  await assert.rejects(requireUsable(here.old, deps), {
    name: "DatabaseMovedAway",
    message: /has moved to postgres:\/\/cfbe:…@db\.example\/cfbe, .* Set CFBE_KV to it\.$/,
  });
  await requireUsable(here.fresh, deps);
});

Deno.test("a start with the old database opens the new one if the move died after it was declared", async () => {
  await using here = await world();
  here.around.target = (raw) =>
    aroundCalls(raw, async (call, kind) => {
      // The dead process does not hear that its last commit found the database closed, also while the gate is read.
      call.catch(() => {});
      const { row } = (await openSide(here.old.raw)).gate;
      if (kind === "read" || row?.phase !== "moved") return await call;
      return await new Promise<never>(() => {});
    });
  here.process().move(TO).catch(() => {});
  while ((await openSide(here.old.raw)).gate.row?.phase !== "moved") {
    await new Promise((resolve) => setTimeout(resolve));
  }
  here.around.target = (raw) => raw;
  const deps = { clock: here.clock, open: here.open, keyring: () => Promise.resolve(keyring) };
  await assert.rejects(requireUsable(here.old, deps), /has moved to/);
  await requireUsable(here.fresh, deps);
  assert.equal(await count(here.fresh.kv), 50);
});

Deno.test("a move that slept while another call completed it writes nothing into the new database", async () => {
  for (let halfTrips = 1; halfTrips < 40; halfTrips += 3) {
    await using here = await world();
    const begin = { id: "a move", to: "there", sealed: "", at: 1 };
    const options = { begin, clock: steadyClock, rest: 0 };
    const sleeper = new CrashingKv(here.fresh.raw);
    sleeper.interruptAfter(halfTrips, "sleep");
    let ended = false;
    const first = moveDatabase({ ...options, source: here.old.raw, target: sleeper.kv })
      .catch(() => {}).finally(() => ended = true);
    while (!ended && !sleeper.isAsleep) await new Promise((resolve) => setTimeout(resolve));
    if (!ended) await moveDatabase({ ...options, source: here.old.raw, target: here.fresh.raw });
    for (let n = 0; n < 50; n++) await here.fresh.kv.set(rowKey(n), { v: 1, later: true });
    const rows = async () =>
      Deno.inspect(await Array.fromAsync(here.fresh.kv.list({ prefix: [] })), { depth: 5 });
    const before = await rows();
    sleeper.wake();
    await first;
    assert.equal(await rows(), before, `${halfTrips}`);
  }
});

Deno.test("a dry run counts the rows, says what prevents the move, and changes no row of either database", async () => {
  await using here = await world();
  const rows = async () =>
    Deno.inspect(
      await Promise.all([here.old, here.fresh].map(({ raw }) => Array.fromAsync(raw.list({ prefix: [] })))),
      {
        depth: 6,
      },
    );
  const before = await rows();
  const { to, rows: planned, goesOn, bytes } = await here.process().dryRun(TO);
  assert.deepEqual([to, planned, goesOn], ["postgres://cfbe:…@db.example/cfbe", 50, false]);
  assert.ok(bytes > 50 * 10, `${bytes}`);
  assert.equal(await rows(), before);
  await here.fresh.kv.set(rowKey(0), { v: 1, n: 0 });
  await assert.rejects(here.process().dryRun(TO), { name: "MoveFailed", message: /is not empty/ });
});

Deno.test("a dry run after an interrupted move says that the move would go on", async () => {
  await using here = await world();
  const interrupted = new AbortController();
  const moves = here.process();
  await assert.rejects(moves.move(TO, { signal: interrupted.signal, progress: () => interrupted.abort() }));
  assert.equal((await moves.dryRun(TO)).goesOn, true);
});
