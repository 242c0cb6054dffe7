import assert from "node:assert/strict";
import { CrashingKv } from "../../../dev/testing/crashing_kv.ts";
import { seededRandom } from "../../../dev/testing/seeded_random.ts";
import { steadyClock } from "../../platform/deps.ts";
import { aroundCalls } from "../../platform/kv/around_calls.ts";
import { DatabaseMoved } from "../../platform/kv/gate.ts";
import { keys } from "../../platform/kv/keys.ts";
import type { Kv, KvKey } from "../../platform/kv/port.ts";
import { moveDatabase, type MoveOptions } from "./move.ts";
import { rowsOf } from "./rows.ts";
import { DATABASES } from "./testing/databases.ts";

const PAIRS = [
  ["memory", "KV Connect"],
  ["KV Connect", "memory"],
  ["memory", "PostgreSQL"],
  ["PostgreSQL", "memory"],
  ["file", "PostgreSQL"],
  ["PostgreSQL", "file"],
  ["file", "file"],
  ["PostgreSQL", "KV Connect"],
  ["KV Connect", "PostgreSQL"],
] as const;
const ROWS = 60;
const BEGIN = { id: "a move", to: "there", sealed: "", at: 1 };

/** Rows that visitors write while a move runs, and what they have been told, in the order of the database. */
function visitors(kv: Kv, seed: number) {
  const random = seededRandom(seed);
  const below = (n: number) => Math.floor(random.float() * n);
  const told = new Map<number, { written: number | null; versionstamp: string }>();
  const keyOf = (n: number): KvKey => [...keys.all(), n % 2 ? "signup" : "job", n];
  let value = 0;
  /** @returns whether the database accepts nothing any more */
  async function write(): Promise<boolean> {
    const writes = new Map(
      Array.from(
        { length: 1 + below(3) },
        () => [below(ROWS), random.float() < 0.3 ? null : ++value] as const,
      ),
    );
    const entries = await Promise.all([...writes.keys()].map((n) => kv.get(keyOf(n))));
    const tx = kv.atomic().check(...entries);
    for (const [n, written] of writes) {
      if (written === null) tx.delete(keyOf(n));
      else tx.set(keyOf(n), { v: 1, value: written });
    }
    // A limit's log, which expires at once.
    if (random.float() < 0.2) tx.set(keys.log("signup", String(below(10))), [], { expireIn: 1 });
    try {
      const result = await tx.commit();
      if (!result.ok) return false;
      const { versionstamp } = result;
      for (const [n, written] of writes) {
        // A later commit may be answered first.
        if ((told.get(n)?.versionstamp ?? "") < versionstamp) told.set(n, { written, versionstamp });
      }
      return false;
    } catch (error) {
      if (error instanceof DatabaseMoved) return true;
      throw error;
    }
  }
  const expected = () =>
    new Map([...told].flatMap(([n, { written }]) => written === null ? [] : [[String(n), written] as const]));
  return { write, expected, below };
}

/** Returns the rows of visitors, by their numbers. */
async function rowsIn(kv: Kv): Promise<Map<string, number>> {
  const found = new Map<string, number>();
  for await (const { key, value } of kv.list<{ value: number }>({ prefix: keys.all() })) {
    if (key[2] === "signup" || key[2] === "job") found.set(String(key[3]), value.value);
  }
  return found;
}

const pace = { rest: () => Promise.resolve() };

/** Returns all stored rows that are moved and do not expire. */
async function storedIn(kv: Kv): Promise<string[]> {
  const rows = await Array.fromAsync(rowsOf(kv, pace));
  return rows.filter(({ key }) => key[2] !== "log").map(({ name, value }) =>
    `${name}=${Deno.inspect(value)}`
  );
}

const byNumber = (rows: Map<string, number>) => Object.fromEntries(rows);

for (const [from, to] of PAIRS) {
  const rounds = from === "file" || to === "file" ? 1 : 2;
  Deno.test(`${from} to ${to}: a move that is killed between any two calls goes on, loses no commit and brings back no deleted row`, async () => {
    for (let round = 0; round < rounds; round++) {
      const seed = Date.now() % 1_000_000 + round;
      const context = `seed ${seed}`;
      await using source = await DATABASES[from]!();
      await using target = await DATABASES[to]!();
      const { write, expected, below } = visitors(source.kv, seed);
      for (let n = 0; n < 40; n++) await write();

      let calls = 0;
      for (let done = false; !done; calls++) {
        const sides = [source, target].map(({ raw }) => new CrashingKv(raw)) as [CrashingKv, CrashingKv];
        // The last tries run without a crash.
        if (calls < 10) sides[below(2)]!.interruptAfter(below(50), "crash");
        const crashed = Promise.race(sides.map(({ died }) => died)).then(() => {
          for (const side of sides) side.kill();
          return "crashed" as const;
        });
        const [own, other] = sides.map(({ kv }) =>
          aroundCalls(kv, async (call) => {
            if (below(3) === 0) await write();
            const result = await call;
            if (below(3) === 0) await write();
            return result;
          })
        ) as [Kv, Kv];
        const options: MoveOptions = {
          source: own,
          target: other,
          begin: BEGIN,
          clock: steadyClock,
          rest: 0,
        };
        done = await Promise.race([moveDatabase(options), crashed]) !== "crashed";
      }
      assert.ok(await write(), "the old database accepts nothing any more");
      assert.deepEqual(byNumber(await rowsIn(target.kv)), byNumber(expected()), context);
      assert.deepEqual(await storedIn(target.raw), await storedIn(source.raw), context);
      assert.ok((await target.kv.atomic().set(keys.doctor(), 1).commit()).ok, "the new database is open");
    }
  });
}
