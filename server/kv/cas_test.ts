import assert from "node:assert/strict";
import { countingKv } from "../testing/counting_kv.ts";
import { ManualClock } from "../testing/manual_clock.ts";
import { seededRandom } from "../testing/seeded_random.ts";
import { tempKv } from "../testing/temp_kv.ts";
import { cas, Contended } from "./cas.ts";

type Count = Deno.KvEntryMaybe<number>;
const deps = { clock: new ManualClock(), random: seededRandom(1) };
const KEY = ["test", "cas", "count"];

/** The database, with `commit` replaced. */
function withCommit(inner: Deno.Kv, commit: (real: () => Promise<CommitResult>) => Promise<CommitResult>) {
  return new Proxy(inner, {
    get(target, property) {
      if (property !== "atomic") {
        const member: unknown = Reflect.get(target, property, target);
        return typeof member === "function" ? member.bind(target) : member;
      }
      return () => {
        const tx = target.atomic();
        const real = tx.commit.bind(tx);
        tx.commit = () => commit(real);
        return tx;
      };
    },
  });
}
type CommitResult = Deno.KvCommitResult | Deno.KvCommitError;

Deno.test("a lost race is decided anew, on what was written meanwhile", async () => {
  await using temp = await tempKv();
  const seen: (number | null)[] = [];
  const intruder = withCommit(temp.kv, async (real) => {
    if (seen.length === 1) await temp.kv.set(KEY, 7);
    return real();
  });
  const value = await cas(intruder, [KEY], ([count]: [Count]) => {
    seen.push(count.value);
    return { value: count.value, write: (tx) => tx.set(KEY, (count.value ?? 0) + 1) };
  }, deps);
  assert.deepEqual(seen, [null, 7]);
  assert.equal(value, 7);
  assert.equal((await temp.kv.get(KEY)).value, 8);
});

Deno.test("every key that was read is checked, also one that is only read", async () => {
  await using temp = await tempKv();
  const others = Array.from({ length: 14 }, (_, i) => ["test", "cas", i]);
  let tries = 0;
  const intruder = withCommit(temp.kv, async (real) => {
    if (tries === 1) await temp.kv.set(others[13]!, true);
    return real();
  });
  await cas(intruder, [KEY, ...others], (entries: Count[]) => {
    tries++;
    assert.deepEqual(entries.map(({ key }) => key), [KEY, ...others]);
    return { value: undefined, write: (tx) => tx.set(KEY, 1) };
  }, deps);
  assert.equal(tries, 2);
});

Deno.test("a decision without a write commits nothing; up to ten keys are one read", async () => {
  await using temp = await tempKv();
  const { kv, counts } = countingKv(temp.kv);
  assert.equal(await cas(kv, [KEY, ["test", "cas", "other"]], () => ({ value: "seen" }), deps), "seen");
  assert.deepEqual(counts, { reads: 1, commits: 0 });
});

Deno.test("what decide throws reaches the caller, and nothing is written", async () => {
  await using temp = await tempKv();
  const refusal = new RangeError("no");
  const decide = () => {
    throw refusal;
  };
  await assert.rejects(cas(temp.kv, [KEY], decide, deps), refusal);
  assert.equal((await temp.kv.get(KEY)).versionstamp, null);
});

Deno.test("a database locked by another process is a lost race, any other error is the caller's", async () => {
  await using temp = await tempKv();
  const errors = [new TypeError("database is locked"), new TypeError("database is locked")];
  const locked = withCommit(temp.kv, (real) => errors.length > 0 ? Promise.reject(errors.pop()) : real());
  const write = (tx: Deno.AtomicOperation) => void tx.set(KEY, 1);
  assert.equal(await cas(locked, [KEY], () => ({ value: "done", write }), deps), "done");
  const broken = withCommit(temp.kv, () => Promise.reject(new TypeError("disk I/O error")));
  await assert.rejects(cas(broken, [KEY], () => ({ value: 0, write }), deps), /disk I\/O error/);
});

Deno.test("thirty lost races end in Contended, which names the kind of row but no address", async () => {
  await using temp = await tempKv();
  let tries = 0;
  const hopeless = withCommit(temp.kv, () => {
    tries++;
    return Promise.resolve({ ok: false });
  });
  const key = ["s", "main", "mailbox", "ada@example.com"];
  const decision = { value: 0, write: (tx: Deno.AtomicOperation) => void tx.set(key, 1) };
  await assert.rejects(cas(hopeless, [key], () => decision, deps), (error) => {
    assert(error instanceof Contended);
    assert.match(error.message, /\[s, main, mailbox, …\]/);
    assert.doesNotMatch(error.message, /ada/);
    return true;
  });
  assert.equal(tries, 30);
});

Deno.test("more keys than a commit can check are refused before anything is read", async () => {
  await using temp = await tempKv();
  const many = Array.from({ length: 101 }, (_, i) => ["test", i]);
  await assert.rejects(cas(temp.kv, many, () => ({ value: 0 }), deps), RangeError);
});
