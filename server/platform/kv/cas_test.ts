import assert from "node:assert/strict";
import { countingKv } from "../../../dev/testing/counting_kv.ts";
import { ManualClock } from "../../../dev/testing/manual_clock.ts";
import { seededRandom } from "../../../dev/testing/seeded_random.ts";
import { aroundCommits } from "../../../dev/testing/around_commits.ts";
import { tempKv } from "../../../dev/testing/temp_kv.ts";
import { cas, Contended } from "./cas.ts";
import { type Key, readRow, typed } from "./key.ts";
import { EMBEDDED_LIMITS } from "./limits.ts";
import type { AtomicOperation, KvEntryMaybe, KvKey } from "./port.ts";
import { wrap } from "./wrap.ts";

const deps = { clock: new ManualClock(), random: seededRandom(1) };
const countKey: Key<number> = typed(["test", "cas", "count"]);
const numberKey = (name: number): Key<number> => typed(["test", "cas", name]);
const nameKey: Key<{ name: string }> = typed(["test", "cas", "name"]);

Deno.test("after a conflict, the decision is made again with the new rows", async () => {
  await using temp = await tempKv();
  const seen: (number | null)[] = [];
  const intruder = aroundCommits(temp.kv, async (real) => {
    if (seen.length === 1) await temp.kv.set(countKey, 7);
    return real();
  });
  const value = await cas(intruder, { count: countKey }, ({ count }) => {
    seen.push(count.value);
    return { value: count.value, write: (tx) => tx.set(countKey, (count.value ?? 0) + 1) };
  }, deps);
  assert.deepEqual(seen, [null, 7]);
  assert.equal(value, 7);
  assert.equal(await readRow(temp.kv, countKey), 8);
});

Deno.test("entries have the names, lists and nesting of their keys", async () => {
  await using temp = await tempKv();
  await temp.kv.atomic().set(nameKey, { name: "Ada" }).set(numberKey(1), 10).set(numberKey(2), 20).commit();
  const keys = {
    two: numberKey(2),
    absent: undefined,
    both: [numberKey(1), numberKey(2)],
    none: [],
    inner: [{ name: nameKey, more: { one: numberKey(1) } }],
    bytes: typed<string>([new Uint8Array([1]), "part"]),
  };
  const seen = await cas(temp.kv, keys, ({ two, absent, both, none, inner, bytes }) => ({
    value: {
      two: two.value,
      absent,
      both: both.map(({ value }) => value),
      none,
      inner: inner.map(({ name, more }) => [name.value?.name, more.one.value]),
      bytes: bytes.key,
    },
  }), deps);
  assert.deepEqual(seen, {
    two: 20,
    absent: undefined,
    both: [10, 20],
    none: [],
    inner: [["Ada", 10]],
    bytes: keys.bytes,
  });
});

Deno.test("every key that was read is checked, even if it is not written", async () => {
  await using temp = await tempKv("memory", EMBEDDED_LIMITS);
  const others = Array.from({ length: 14 }, (_, i) => numberKey(i));
  let attempts = 0;
  const intruder = aroundCommits(temp.kv, async (real) => {
    if (attempts === 1) await temp.kv.set(numberKey(13), 1);
    return real();
  });
  await cas(intruder, { count: countKey, others }, (entries) => {
    attempts++;
    assert.deepEqual([entries.count.key, ...entries.others.map(({ key }) => key)], [countKey, ...others]);
    return { value: undefined, write: (tx) => tx.set(countKey, 1) };
  }, deps);
  assert.equal(attempts, 2);
});

Deno.test("a decision without a write commits nothing, and up to ten keys take one read", async () => {
  await using temp = await tempKv("memory", EMBEDDED_LIMITS);
  const { kv, counts } = countingKv(temp.kv);
  const keys = { count: countKey, others: Array.from({ length: 9 }, (_, i) => numberKey(i)) };
  assert.equal(await cas(kv, keys, () => ({ value: "seen" }), deps), "seen");
  assert.deepEqual(counts, { reads: 1, commits: 0 });
});

Deno.test("keys that depend on a row are computed again when the decision returns retry", async () => {
  await using temp = await tempKv();
  await temp.kv.atomic().set(countKey, 1).set(numberKey(2), 20).commit();
  let seen: number | null = null;
  const keys = async () => {
    seen = await readRow(temp.kv, countKey);
    // The row changes once between the read for the keys and the read of the entries.
    if (seen === 1) await temp.kv.set(countKey, 2);
    return { count: countKey, pointed: numberKey(seen ?? 0) };
  };
  const value = await cas(temp.kv, keys, ({ count, pointed }) => {
    if (count.value !== seen) return "retry";
    return { value: pointed.value };
  }, deps);
  assert.equal(value, 20);
});

Deno.test("a fence that forbids the commit throws to the caller before decide runs", async () => {
  await using temp = await tempKv();
  const { kv, counts } = countingKv(temp.kv);
  const refusal = new RangeError("not yours");
  const fence = {
    key: nameKey,
    check({ value }: KvEntryMaybe<{ name: string }>) {
      if (value?.name !== "Ada") throw refusal;
    },
  };
  let decided = 0;
  const decide = () => {
    decided++;
    return { value: "done", write: (tx: AtomicOperation) => tx.set(countKey, 1) };
  };
  await assert.rejects(cas(kv, { count: countKey }, decide, { ...deps, fence }), refusal);
  assert.deepEqual([decided, counts.commits], [0, 0]);
  await temp.kv.set(nameKey, { name: "Ada" });
  assert.equal(await cas(kv, { count: countKey }, decide, { ...deps, fence }), "done");
});

Deno.test("a fence lost between the read and the commit prevents the commit", async () => {
  await using temp = await tempKv();
  await temp.kv.set(nameKey, { name: "Ada" });
  const fence = {
    key: nameKey,
    check({ value }: KvEntryMaybe<{ name: string }>) {
      if (value?.name !== "Ada") throw new RangeError("not yours");
    },
  };
  const thief = aroundCommits(temp.kv, async (real) => {
    await temp.kv.set(nameKey, { name: "Eve" });
    return real();
  });
  const write = (tx: AtomicOperation) => tx.set(countKey, 1);
  for (const keys of [{ count: countKey }, { count: countKey, name: fence.key }]) {
    await temp.kv.set(nameKey, { name: "Ada" });
    await assert.rejects(cas(thief, keys, () => ({ value: 0, write }), { ...deps, fence }), /not yours/);
  }
  assert.equal(await readRow(temp.kv, countKey), null);
});

Deno.test("if decide throws, the caller gets the error and nothing is written", async () => {
  await using temp = await tempKv();
  const refusal = new RangeError("no");
  const decide = () => {
    throw refusal;
  };
  await assert.rejects(cas(temp.kv, { count: countKey }, decide, deps), refusal);
  assert.equal(await readRow(temp.kv, countKey), null);
});

Deno.test("a database locked by another process counts as a conflict, and any other error goes to the caller", async () => {
  await using temp = await tempKv();
  const errors = [new TypeError("database is locked"), new TypeError("database is locked")];
  const locked = aroundCommits(temp.kv, (real) => errors.length > 0 ? Promise.reject(errors.pop()) : real());
  const keys = { count: countKey };
  const decide = () => ({ value: "done", write: (tx: AtomicOperation) => tx.set(countKey, 1) });
  assert.equal(await cas(locked, keys, decide, deps), "done");
  const failing = [new TypeError("database is locked")];
  const lockedRead = wrap(temp.kv, {
    getMany: (keys: KvKey[]) => failing.length > 0 ? Promise.reject(failing.pop()) : temp.kv.getMany(keys),
  });
  assert.equal(await cas(lockedRead, keys, decide, deps), "done");
  const broken = aroundCommits(temp.kv, () => Promise.reject(new TypeError("disk I/O error")));
  await assert.rejects(cas(broken, keys, decide, deps), /disk I\/O error/);
});

Deno.test("thirty conflicts end in Contended, whose message contains the kind of row but no address", async () => {
  await using temp = await tempKv();
  let attempts = 0;
  const hopeless = aroundCommits(temp.kv, () => {
    attempts++;
    return Promise.resolve({ ok: false });
  });
  const key: Key<number> = typed(["s", "main", "mailbox", "ada@example.com"]);
  const decision = { value: 0, write: (tx: AtomicOperation) => tx.set(key, 1) };
  await assert.rejects(cas(hopeless, { key, count: countKey }, () => decision, deps), (error) => {
    assert(error instanceof Contended);
    assert.equal(error.name, "Contended");
    assert.equal(
      error.message,
      "30 attempts in a row conflicted with other commits to [s, main, mailbox, …], [test, cas, count]",
    );
    return true;
  });
  assert.equal(attempts, 30);
});

Deno.test("after a conflict the wait is random, up to 4 ms, then up to twice as long each time, at most 50 ms", async () => {
  await using temp = await tempKv();
  const waits: number[] = [];
  const sleep = (ms: number) => Promise.resolve(void waits.push(ms));
  const random = { ...deps.random, float: () => 0.5 };
  const options = { clock: { now: () => 0, sleep }, random };
  await assert.rejects(cas(temp.kv, { count: countKey }, () => "retry", options), Contended);
  assert.deepEqual(waits, [2, 4, 8, 16, ...Array(25).fill(25)]);
});

Deno.test("a decision that always returns retry ends in Contended too", async () => {
  await using temp = await tempKv();
  let attempts = 0;
  const decide = () => {
    attempts++;
    return "retry" as const;
  };
  await assert.rejects(cas(temp.kv, { count: countKey }, decide, deps), Contended);
  assert.equal(attempts, 30);
});

Deno.test("more keys than a commit can check are rejected before anything is read", async () => {
  await using temp = await tempKv();
  const { kv, counts } = countingKv(temp.kv);
  const most = kv.engine.limits.checks;
  const many = Array.from({ length: most + 1 }, (_, i) => numberKey(i));
  await assert.rejects(cas(kv, { many }, () => ({ value: 0 }), deps), RangeError);
  const fence = { key: nameKey, check() {} };
  await assert.rejects(
    cas(kv, { many: many.slice(1) }, () => ({ value: 0 }), { ...deps, fence }),
    new RegExp(`one commit can check ${most} keys, not ${most + 1}`),
  );
  assert.equal(counts.reads, 0);
  // A fence whose key is among the keys does not count twice.
  const keys = { many: many.slice(2), name: nameKey };
  assert.equal(await cas(kv, keys, () => ({ value: "done" }), { ...deps, fence }), "done");
});
