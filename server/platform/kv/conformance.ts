import assert from "node:assert/strict";
import type { KvFactory } from "../../../dev/testing/kv_factories.ts";
import { ManualClock } from "../../../dev/testing/manual_clock.ts";
import { seededRandom } from "../../../dev/testing/seeded_random.ts";
import { cas } from "./cas.ts";
import { Chains } from "./chains.ts";
import { typed } from "./key.ts";
import { keySize } from "./limits.ts";
import { type Kv, type KvKey, type KvKeyPart, type KvListSelector, KvU64 } from "./port.ts";

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

  guarantee(
    "keys are listed in the order of their parts, of any type, in both directions",
    async (kv, prefix) => {
      const parts: KvKeyPart[] = [
        ...[new Uint8Array(), new Uint8Array([0]), new Uint8Array([0, 1]), new Uint8Array([255])],
        ...["", "\0", "\0a", "a", "a\0", "ab", "ü", "\u{1f600}"],
        ...[-(2n ** 80n), -(2n ** 64n), -300n, -1n, 0n, 1n, 255n, 256n, 2n ** 63n, 2n ** 64n, 2n ** 80n],
        ...[-Infinity, -1.5, -0, 0, 5e-324, 1.5, 2 ** 53, Infinity],
        ...[false, true],
      ];
      for (const [at, part] of parts.toReversed().entries()) {
        await kv.set(
          [...prefix, part, "end"],
          parts.length - 1 - at,
        );
      }
      const listed = async (reverse: boolean) =>
        await Array.fromAsync(kv.list<number>({ prefix }, { reverse, batchSize: 5 }));
      const forward = await listed(false);
      assert.deepEqual(forward.map(({ value }) => value), [...parts.keys()]);
      assert.deepEqual(forward.map(({ key }) => key.at(-2)), parts);
      assert.deepEqual((await listed(true)).map(({ value }) => value), [...parts.keys()].toReversed());
    },
  );

  guarantee("a list of a prefix has neither the prefix itself nor what is beside it", async (kv, prefix) => {
    for (const key of [[], ["a"], ["a", "b"], ["aa"], ["b"]]) await kv.set([...prefix, "p", ...key], 1);
    const found = await Array.fromAsync(kv.list({ prefix: [...prefix, "p", "a"] }));
    assert.deepEqual(found.map(({ key }) => key.slice(prefix.length)), [["p", "a", "b"]]);
  });

  guarantee(
    "a list has each entry of its range once, however many one read gets, up to its limit",
    async (kv, prefix) => {
      const numbers = [0, 1, 2, 3, 4, 5, 6];
      for (const n of numbers) await kv.set([...prefix, n], n);
      const ranges: [KvListSelector, number[]][] = [
        [{ prefix }, numbers],
        [{ prefix, start: [...prefix, 2] }, numbers.slice(2)],
        [{ prefix, end: [...prefix, 5] }, numbers.slice(0, 5)],
        [{ start: [...prefix, 2], end: [...prefix, 5] }, [2, 3, 4]],
        [{ prefix, start: [...prefix, 7] }, []],
      ];
      for (const [selector, expected] of ranges) {
        for (const reverse of [false, true]) {
          const inOrder = reverse ? expected.toReversed() : expected;
          for (const limit of [2, 4, 100]) {
            for (const batchSize of [1, 2, 3, 5, 100]) {
              const found = await Array.fromAsync(kv.list<number>(selector, { limit, batchSize, reverse }));
              assert.deepEqual(found.map(({ value }) => value), inOrder.slice(0, limit));
            }
          }
        }
      }
    },
  );

  guarantee(
    "a list goes on after the longest keys, with those that are longer by a part",
    async (kv, prefix) => {
      const { keySize: longest } = kv.engine.limits;
      const ofSize = (size: number, ...more: KvKeyPart[]) => {
        const key = [...prefix, "k".repeat(size - keySize([...prefix, "", ...more])), ...more];
        assert.equal(keySize(key), size);
        return key;
      };
      const keys = [
        ...[ofSize(longest - 3), ofSize(longest - 1, new Uint8Array()), ofSize(longest - 1, "")],
        ...[
          ofSize(longest - 2),
          ofSize(longest, new Uint8Array()),
          ofSize(longest, ""),
          ofSize(longest - 1, false),
        ],
        ...[
          ofSize(longest - 1),
          ofSize(longest, 0n),
          ofSize(longest, false),
          ofSize(longest, true),
          ofSize(longest),
        ],
      ];
      for (const [at, key] of keys.entries()) await kv.set(key, at);
      for (const reverse of [false, true]) {
        const found = await Array.fromAsync(kv.list<number>({ prefix }, { batchSize: 1, reverse }));
        const values = found.map(({ value }) => value);
        assert.deepEqual(reverse ? values.toReversed() : values, [...keys.keys()]);
      }
    },
  );

  guarantee(
    "of two commits that need the same key not to exist, one fails, whether or not it writes it",
    async (kv, prefix) => {
      for (const writes of [true, false]) {
        for (let round = 0; round < 10; round++) {
          const [a, b] = [[...prefix, "a", writes, round], [...prefix, "b", writes, round]];
          const commit = (checked: KvKey, written: KvKey) => {
            const tx = kv.atomic().check({ key: checked, versionstamp: null }).set(written, 1);
            return (writes ? tx.set(checked, 1) : tx).commit();
          };
          const made = await Promise.all([commit(a, writes ? a : b), commit(writes ? a : b, a)]);
          assert.equal(made.filter(({ ok }) => ok).length, 1, `round ${round}`);
        }
      }
    },
  );

  guarantee(
    "sums that arrive at once are all added, also to a row that does not exist",
    async (kv, prefix) => {
      const key = [...prefix, "sum"];
      await Promise.all(Array.from({ length: 20 }, () => kv.atomic().sum(key, 2n).sum(key, 1n).commit()));
      assert.deepEqual((await kv.get(key)).value, new KvU64(60n));
    },
  );

  guarantee("a version grows with every commit, also after the row was deleted", async (kv, prefix) => {
    const key = [...prefix, "v"];
    const versions: string[] = [];
    for (let n = 0; n < 5; n++) {
      await kv.set(key, n);
      versions.push((await kv.get(key)).versionstamp!);
      if (n % 2) await kv.delete(key);
    }
    assert.deepEqual(versions, [...new Set(versions)].sort());
  });

  guarantee("a call above a limit is refused, and writes nothing", async (kv, prefix) => {
    const { checks, mutations, keysPerRead, valueSize } = kv.engine.limits;
    const keys = (count: number) => Array.from({ length: count }, (_, n) => [...prefix, "limit", n]);
    const tx = (count: number) => keys(count).reduce((all, key) => all.set(key, 1), kv.atomic());
    await assert.rejects(tx(mutations + 1).commit(), /Too many|too large/);
    const checked = keys(checks + 1).map((key) => ({ key, versionstamp: null }));
    await assert.rejects(kv.atomic().check(...checked).set([...prefix, "limit", 0], 1).commit());
    await assert.rejects(kv.set([...prefix, "limit", 0], "x".repeat(valueSize)), /Too many|too large/);
    await assert.rejects(kv.getMany(keys(keysPerRead + 1)), /Too many/);
    assert.deepEqual(await Array.fromAsync(kv.list({ prefix })), []);
  });

  guarantee("a list can start right after an entry", async (kv, prefix) => {
    for (const id of ["a", "aa", "b"]) await kv.set([...prefix, 1, id], id);
    const entries = kv.list<string>({ prefix, start: [...prefix, 1, "a", false] });
    assert.deepEqual((await Array.fromAsync(entries)).map(({ value }) => value), ["aa", "b"]);
  });
}
