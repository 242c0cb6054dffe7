import assert from "node:assert/strict";
import { seededRandom } from "../../../dev/testing/seeded_random.ts";
import { openDenoKv } from "./engines/deno_kv.ts";
import {
  EMBEDDED_LIMITS,
  fits,
  MOST_LIMITS,
  REMOTE_LIMITS,
  requireFits,
  sizeOf,
  withLimits,
} from "./limits.ts";
import { Operation } from "./operation.ts";
import type { Kv, KvKeyPart } from "./port.ts";
import { withPortableValues } from "./portable_values.ts";
import { wrap } from "./wrap.ts";

/** Opens a database of the engine itself, without any layer that could refuse an operation first. */
async function engine() {
  const kv = await openDenoKv(":memory:");
  return { kv, [Symbol.dispose]: () => kv.close() };
}

/** Makes an operation on the engine. Resolves to whether the engine accepts it. */
async function isAccepted(kv: Kv, operation: Operation): Promise<boolean> {
  try {
    await kv.commit(operation);
    return true;
  } catch (error) {
    assert.match(String(error), /^TypeError: (Too many|.*too large)/);
    return false;
  }
}

const operation = () => new Operation(() => Promise.reject(new Error("not made")));

/** Returns the largest number that is accepted. */
async function largest(accepts: (n: number) => Promise<boolean>, below: number): Promise<number> {
  let [least, most] = [0, below];
  while (most - least > 1) {
    const middle = (least + most) >> 1;
    if (await accepts(middle)) least = middle;
    else most = middle;
  }
  return least;
}

const KEY_PARTS: Record<string, (n: number) => KvKeyPart[]> = {
  text: (n) => ["a".repeat(n)],
  "text of two bytes a letter": (n) => ["ü".repeat(n)],
  "null characters": (n) => ["\0".repeat(n)],
  "halves of surrogate pairs": (n) => ["\ud800".repeat(n)],
  bytes: (n) => [new Uint8Array(n).fill(7)],
  "bytes that are zero": (n) => [new Uint8Array(n)],
  numbers: (n) => Array(n).fill(1.5),
  booleans: (n) => Array(n).fill(true),
  zeros: (n) => Array(n).fill(0n),
  "small integers": (n) => Array(n).fill(-300n),
  "large integers": (n) => Array(n).fill(2n ** 64n),
};

for (const [what, parts] of Object.entries(KEY_PARTS)) {
  Deno.test(`a key is as large as the engine says: ${what}`, async () => {
    using db = await engine();
    const remove = (n: number) => operation().delete(["k", ...parts(n)]);
    const most = await largest((n) => isAccepted(db.kv, remove(n)), 2_100);
    assert(fits(sizeOf(remove(most)), EMBEDDED_LIMITS));
    assert(!fits(sizeOf(remove(most + 1)), EMBEDDED_LIMITS));
  });
}

Deno.test("a value is as large as the engine says, once it is encoded", async () => {
  using db = await engine();
  const portable = withPortableValues(db.kv);
  for (const value of [(n: number) => "ü".repeat(n), (n: number) => ({ n: ["\n".repeat(n)] })]) {
    const set = (n: number) => operation().set(["k"], value(n));
    const most = await largest((n) => isAccepted(portable, set(n)), 70_000);
    assert(fits(sizeOf(set(most)), EMBEDDED_LIMITS));
    assert(!fits(sizeOf(set(most + 1)), EMBEDDED_LIMITS));
  }
});

Deno.test("an operation fits exactly if the engine accepts it", async () => {
  using db = await engine();
  const seed = Date.now() % 100_000;
  const random = seededRandom(seed);
  const below = (n: number) => Math.floor(random.float() * n);
  const fill = (large: number) => below(3) === 0 ? large : below(large);
  const outcomes = { true: 0, false: 0 };
  for (let round = 0; round < 60; round++) {
    // Each round comes close to some of the limits: many rows, long keys or long values.
    const [keyLength, valueLength] = [[8, 8], [1_900, 8], [8, 60_000], [700, 7_000]][below(4)]!;
    const make = (rows: number) => {
      const made = operation();
      for (let n = 0; n < rows; n++) {
        const key = [n, "k".repeat(keyLength!)];
        const kind = n % 7;
        if (kind === 5) made.delete(key);
        else if (kind === 6) made.sum(key, 1n);
        else made.set(key, new Uint8Array(valueLength!));
        if (n < checks) made.check({ key, versionstamp: null });
      }
      return made;
    };
    const checks = fill(102);
    const rows = await largest((n) => Promise.resolve(fits(sizeOf(make(n)), MOST_LIMITS)), 1_010);
    for (const some of [rows, rows + 1]) {
      const accepted = await isAccepted(db.kv, make(some));
      outcomes[`${accepted}`]++;
      assert.equal(accepted, some === rows, `seed ${seed}, round ${round}: ${some} rows`);
    }
    for await (const { key } of db.kv.list({ prefix: [] })) await db.kv.delete(key);
  }
  assert.deepEqual(outcomes, { true: 60, false: 60 });
});

Deno.test("a read has as many keys as the engine says", async () => {
  using db = await engine();
  const keys = (n: number) => Array.from({ length: n }, (_, at) => [at]);
  await db.kv.getMany(keys(EMBEDDED_LIMITS.keysPerRead));
  await assert.rejects(db.kv.getMany(keys(EMBEDDED_LIMITS.keysPerRead + 1)), /Too many/);
});

Deno.test("an error about a limit says what there is too much of, in words", () => {
  const value = "x".repeat(70_000);
  const size = sizeOf({ mutations: [{ type: "set", key: ["a"], value }] });
  assert.throws(() => requireFits(size, EMBEDDED_LIMITS), {
    message: "Too many bytes in a value: 70002 (max 65536)",
  });
});

Deno.test("a database keeps its limits when it is wrapped", async () => {
  using db = await engine();
  assert.equal(wrap(withLimits(db.kv, REMOTE_LIMITS), {}).engine.limits, REMOTE_LIMITS);
});
