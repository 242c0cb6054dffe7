import assert from "node:assert/strict";
import type { KvFactory } from "../../../dev/testing/kv_factories.ts";
import { ManualClock } from "../../../dev/testing/manual_clock.ts";
import { seededRandom } from "../../../dev/testing/seeded_random.ts";
import { cas } from "./cas.ts";
import { Chains } from "./chains.ts";
import { typed } from "./key.ts";
import type { Kv, KvKey } from "./port.ts";

/**
 * Registers one test per guarantee that the server needs from every kind of database.
 *
 * @example
 * ```ts
 * for (const factory of kvFactories()) kvConformance(factory);
 * ```
 */
export function kvConformance(factory: KvFactory): void {
  const deps = { clock: new ManualClock(), random: seededRandom(Date.now()) };

  /** Registers a test with a key prefix of its own, whose rows are deleted afterward. */
  function guarantee(what: string, test: (kv: Kv, prefix: string[]) => Promise<void>): void {
    Deno.test(`${factory.name}: ${what}`, async () => {
      await using opened = await factory.open();
      const { kv } = opened;
      const prefix = ["test", crypto.randomUUID()];
      try {
        await test(kv, prefix);
      } finally {
        for await (const { key } of kv.list({ prefix })) await kv.delete(key);
      }
    });
  }

  const increment = (kv: Kv, key: KvKey) =>
    cas(kv, { count: typed<number>(key) }, ({ count }) => {
      const value = (count.value ?? 0) + 1;
      return { value, write: (tx) => tx.set(key, value) };
    }, deps);

  guarantee("concurrent increments are all counted", async (kv, prefix) => {
    const key = [...prefix, "count"];
    const seen = await Promise.all(Array.from({ length: 10 }, () => increment(kv, key)));
    assert.deepEqual(seen.toSorted((a, b) => a - b), [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  });

  guarantee("with a chain, many concurrent changes to one key all succeed", async (kv, prefix) => {
    const key = [...prefix, "count"];
    const chains = new Chains();
    const calls = Array.from({ length: 100 }, () => chains.run(["count"], () => increment(kv, key)));
    assert.equal(Math.max(...await Promise.all(calls)), 100);
  });

  guarantee("a commit is all or nothing", async (kv, prefix) => {
    const [a, b] = [[...prefix, "a"], [...prefix, "b"]];
    const absent = await kv.get(b);
    await kv.set(b, "there");
    assert.equal((await kv.atomic().check(absent).set(a, 1).delete(b).commit()).ok, false);
    const [first, second] = await kv.getMany([a, b]);
    assert.deepEqual([first.value, second.value], [null, "there"]);
  });

  guarantee(
    "in one commit, deleting a key and then writing it leaves the new value",
    async (kv, prefix) => {
      const key = [...prefix, "index", 5, "id"];
      await kv.set(key, "old");
      await kv.atomic().delete(key).set(key, "new").commit();
      assert.equal((await kv.get(key)).value, "new");
    },
  );

  guarantee("a list by time goes from old to new and ends before its end key", async (kv, prefix) => {
    const times = [1_700_000_000_000, 5, 40, 1_699_999_999_999, 0.5];
    for (const at of times) await kv.set([...prefix, "due", at, "id"], at);
    const before = async (end: number) => {
      const entries = kv.list<number>({ prefix: [...prefix, "due"], end: [...prefix, "due", end] });
      return (await Array.fromAsync(entries)).map(({ value }) => value);
    };
    assert.deepEqual(await before(1_700_000_000_000), [0.5, 5, 40, 1_699_999_999_999]);
    assert.deepEqual(await before(1_700_000_000_001), times.toSorted((a, b) => a - b));
  });

  guarantee("a list can start right after an entry", async (kv, prefix) => {
    for (const id of ["a", "aa", "b"]) await kv.set([...prefix, 1, id], id);
    const entries = kv.list<string>({ prefix, start: [...prefix, 1, "a", false] });
    assert.deepEqual((await Array.fromAsync(entries)).map(({ value }) => value), ["aa", "b"]);
  });
}
