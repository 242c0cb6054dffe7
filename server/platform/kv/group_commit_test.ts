import assert from "node:assert/strict";
import { aroundCommits } from "../../../dev/testing/around_commits.ts";
import { countingKv } from "../../../dev/testing/counting_kv.ts";
import { ManualClock } from "../../../dev/testing/manual_clock.ts";
import { tempKv } from "../../../dev/testing/temp_kv.ts";
import { LOAD_LASTS_MS, withGroupCommit } from "./group_commit.ts";
import { EMBEDDED_LIMITS, REMOTE_LIMITS, withLimits } from "./limits.ts";
import type { AtomicOperation, Kv, KvCommitError, KvCommitResult, KvKey } from "./port.ts";

type CommitResult = KvCommitResult | KvCommitError;

/** Never reached, as the clock stands still. */
const deadline = { ms: 10_000, clock: new ManualClock() };
const encoder = new TextEncoder();
const bytes = (text: string) => encoder.encode(text);

/** A clock whose sleeps end at once, after what `during` does. */
class StepClock {
  time = 0;
  sleeps = 0;
  during = () => {};
  now = () => this.time;
  async sleep(ms: number) {
    this.sleeps++;
    this.time += ms;
    this.during();
    await Promise.resolve();
  }
}

/** Opens a database with group commit, whose real commits are counted and can be replaced. */
async function opened(replaced?: (real: () => Promise<CommitResult>) => Promise<CommitResult>) {
  const temp = await tempKv("memory", EMBEDDED_LIMITS);
  const { kv: counting, counts } = countingKv(temp.engine);
  const inner = replaced ? aroundCommits(counting, replaced) : counting;
  const clock = new StepClock();
  const kv = withGroupCommit(inner, {
    atOnce: 1,
    gatherMs: 4,
    deadline: { ms: 10_000, clock },
  });
  return { ...temp, inner, kv, counts, clock, raw: temp.engine };
}

const insert = (kv: Kv, key: KvKey, value: unknown = bytes("x")) =>
  kv.atomic().check({ key, versionstamp: null }).set(key, value).commit();

Deno.test("commits that arrive together share one operation, and each is durable when it resolves", async () => {
  await using db = await opened();
  const results = await Promise.all(Array.from({ length: 20 }, async (_, n) => {
    const result = await insert(db.kv, ["row", n]);
    assert((await db.raw.get(["row", n])).value);
    return result;
  }));
  assert(results.every(({ ok }) => ok));
  assert.equal(db.counts.commits, 1);
});

Deno.test("a commit that arrives alone is made at once, without waiting for others", async () => {
  await using db = await opened();
  for (let n = 0; n < 3; n++) await insert(db.kv, ["row", n]);
  assert.deepEqual([db.counts.commits, db.clock.sleeps], [3, 0]);
});

Deno.test("under load, the next operation waits for more commits", async () => {
  const first = Promise.withResolvers<void>();
  let made = 0;
  await using db = await opened(async (real) => {
    if (made++ === 0) await first.promise;
    return real();
  });
  const early = [insert(db.kv, ["row", 1]), insert(db.kv, ["row", 2])];
  await Promise.resolve();
  const late = insert(db.kv, ["row", 3]);
  first.resolve();
  await Promise.all([...early, late]);
  assert.deepEqual([db.counts.commits, db.clock.sleeps], [2, 1]);
});

Deno.test("under load, a commit that arrives alone waits for others, and shares its operation with them", async () => {
  await using db = await opened();
  await Promise.all([insert(db.kv, ["row", 1]), insert(db.kv, ["row", 2])]);
  let late: Promise<unknown> | undefined;
  db.clock.during = () => void (late ??= insert(db.kv, ["row", 4]));
  await insert(db.kv, ["row", 3]);
  await late;
  assert.deepEqual([db.counts.commits, db.clock.sleeps], [2, 1]);
});

Deno.test("under load, commits that arrived while another was made wait only for the rest of their time", async () => {
  for (const [tookMs, sleptMs] of [[1, 3], [4, 0], [9, 0]] as const) {
    const made = Promise.withResolvers<void>();
    await using db = await opened(async (real) => {
      await made.promise;
      return real();
    });
    const early = [insert(db.kv, ["row", 1]), insert(db.kv, ["row", 2])];
    await Promise.resolve();
    const late = insert(db.kv, ["row", 3]);
    db.clock.time += tookMs;
    made.resolve();
    await Promise.all([...early, late]);
    assert.deepEqual([db.counts.commits, db.clock.time], [2, tookMs + sleptMs]);
  }
});

Deno.test("no commit waits once the load is over", async () => {
  await using db = await opened();
  await Promise.all([insert(db.kv, ["row", 1]), insert(db.kv, ["row", 2])]);
  db.clock.time += LOAD_LASTS_MS;
  await insert(db.kv, ["row", 3]);
  assert.deepEqual([db.counts.commits, db.clock.sleeps], [2, 0]);
});

Deno.test("a failed check fails only its own commit", async () => {
  await using db = await opened();
  await insert(db.kv, ["taken"]);
  const keys = [["free", 1], ["taken"], ["free", 2]];
  const results = await Promise.all(keys.map((key) => insert(db.kv, key)));
  assert.deepEqual(results.map(({ ok }) => ok), [true, false, true]);
});

Deno.test("of commits that write or check the same key, none sees or hides another", async () => {
  await using db = await opened();
  await db.raw.set(["seats"], bytes("1"));
  const seats = await db.raw.get(["seats"]);
  const take = (person: string) =>
    db.kv.atomic().check(seats).set(["seats"], bytes("0")).set(["person", person], bytes(person)).commit();
  const look = () => db.kv.atomic().check(seats).set(["looked"], bytes("1")).commit();
  const results = await Promise.all([take("Ada"), take("Bob"), look()]);
  assert.deepEqual(results.map(({ ok }) => ok), [true, false, false]);
  assert.deepEqual([(await db.raw.get(["person", "Bob"])).value, (await db.raw.get(["looked"])).value], [
    null,
    null,
  ]);
});

for (
  const [what, add] of Object.entries<(tx: AtomicOperation) => AtomicOperation>({
    "a value that is too large": (tx) => tx.set(["large"], new Uint8Array(65_537)),
    "a key that is too large": (tx) => tx.set(["k".repeat(2_100)], bytes("x")),
    "an empty key": (tx) => tx.set([], bytes("x")),
    "a sum on a row that is no number": (tx) => tx.sum(["text"], 1n),
    "a value of an unknown size": (tx) => tx.set(["text"], "t".repeat(70_000)),
    "more checks than one operation may have": (tx) =>
      tx.check(...Array.from({ length: 101 }, (_, n) => ({ key: ["none", n], versionstamp: null }))),
  })
) {
  Deno.test(`the error of a commit is its own: ${what}`, async () => {
    await using db = await opened();
    await db.raw.set(["text"], bytes("text"));
    const [before, wrong, after] = await Promise.allSettled([
      insert(db.kv, ["row", 1]),
      Promise.resolve().then(() => add(db.kv.atomic()).commit()),
      insert(db.kv, ["row", 2]),
    ]);
    assert.deepEqual([before.status, wrong.status, after.status], ["fulfilled", "rejected", "fulfilled"]);
    assert((await db.raw.get(["row", 2])).value);
  });
}

Deno.test("groups stay within the limits of one operation, and use them", async () => {
  await using db = await opened();
  const cases = [
    // 99 checks, 999 mutations, 734 KiB of mutations, almost 80 KiB of keys.
    { count: 250, make: (n: number) => insert(db.kv, ["check", n]), commits: 3 },
    {
      count: 20,
      make: (n: number) => {
        const tx = db.kv.atomic();
        for (let i = 0; i < 99; i++) tx.set(["mutation", n, i], bytes("x"));
        return tx.commit();
      },
      commits: 2,
    },
    { count: 20, make: (n: number) => insert(db.kv, ["value", n], new Uint8Array(60_000)), commits: 2 },
    {
      count: 50,
      make: (n: number) => db.kv.atomic().set(["k".repeat(2_000), n], bytes("x")).commit(),
      commits: 2,
    },
  ];
  for (const { count, make, commits } of cases) {
    db.counts.commits = 0;
    const results = await Promise.all(Array.from({ length: count }, (_, n) => make(n)));
    assert(results.every(({ ok }) => ok));
    assert.equal(db.counts.commits, commits);
  }
});

Deno.test("the limits of the engine decide how many commits share an operation", async () => {
  await using temp = await tempKv("memory", REMOTE_LIMITS);
  const { kv: counting, counts } = countingKv(temp.engine);
  const kv = withGroupCommit(counting, { atOnce: 8, deadline });
  const results = await Promise.all(Array.from({ length: 200 }, (_, n) => insert(kv, ["row", n])));
  assert(results.every(({ ok }) => ok));
  assert.equal(counts.commits, Math.ceil(200 / REMOTE_LIMITS.checks));
});

Deno.test("the commits of an operation that the database refuses are made one by one", async () => {
  await using temp = await tempKv("memory", REMOTE_LIMITS);
  const kv = withGroupCommit(temp.engine, { atOnce: 8, deadline });
  const results = await Promise.all(Array.from({ length: 200 }, (_, n) => insert(kv, ["row", n])));
  assert(results.every(({ ok }) => ok));
});

for (const first of ["erase", "change"]) {
  Deno.test(`a commit that exceeds the limits shares its operation with no commit that depends on it: ${first} first`, async () => {
    await using db = await opened();
    await db.raw.set(["row"], bytes("old"));
    const row = await db.raw.get(["row"]);
    // The engine still allows this erasure.
    const kv = withGroupCommit(withLimits(db.inner, { ...EMBEDDED_LIMITS, mutations: 5 }), {
      atOnce: 1,
      deadline,
    });
    const make = {
      erase() {
        const tx = kv.atomic().delete(["row"]);
        for (let n = 0; n < 5; n++) tx.delete(["consent", n]);
        return tx.commit();
      },
      change: () => kv.atomic().check(row).set(["row"], bytes("new")).commit(),
    };
    const others = first === "erase" ? make.change : make.erase;
    const results = await Promise.all([first === "erase" ? make.erase() : make.change(), others()]);
    assert.deepEqual(results.map(({ ok }) => ok), first === "erase" ? [true, false] : [true, true]);
    assert.equal((await db.raw.get(["row"])).value, null);
  });
}

Deno.test("if the response of a shared operation is lost, each commit learns it, and none is made again", async () => {
  let made = 0;
  await using db = await opened(async (real) => {
    made++;
    await real();
    throw new Error("connection lost");
  });
  const results = await Promise.allSettled([insert(db.kv, ["row", 1]), insert(db.kv, ["row", 2])]);
  assert.deepEqual(results.map(({ status }) => status), ["rejected", "rejected"]);
  assert.equal(made, 1);
  assert((await db.raw.get(["row", 2])).value);
});

Deno.test("with several operations at once, one that hangs delays no other commit", async () => {
  const hanging = Promise.withResolvers<void>();
  let made = 0;
  await using db = await opened(async (real) => {
    if (made++ === 0) await hanging.promise;
    return real();
  });
  const kv = withGroupCommit(db.inner, { atOnce: 2, deadline });
  const slow = insert(kv, ["row", 1]);
  await Promise.resolve().then(() => {});
  assert((await insert(kv, ["row", 2])).ok);
  hanging.resolve();
  assert((await slow).ok);
});
