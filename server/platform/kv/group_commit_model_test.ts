import assert from "node:assert/strict";
import { ManualClock } from "../../../dev/testing/manual_clock.ts";
import { seededRandom } from "../../../dev/testing/seeded_random.ts";
import { tempKv } from "../../../dev/testing/temp_kv.ts";
import { withGroupCommit } from "./group_commit.ts";
import { EMBEDDED_LIMITS, withLimits } from "./limits.ts";
import type { KvKey } from "./port.ts";

/** Never reached, as the clock stands still. */
const deadline = { ms: 10_000, clock: new ManualClock() };
const ROUNDS = 200;
const COMMITS = 40;
/** Few enough that most commits overlap with others. */
const KEYS = 30;

interface Row {
  value: number | null;
  versionstamp: string | null;
}

interface Commit {
  checks: { key: number; versionstamp: string | null }[];
  /** Null deletes the row. */
  writes: { key: number; value: number | null }[];
}

const keyOf = (key: number): KvKey => ["row", key];
const encode = (value: number) => new Uint8Array(new Uint32Array([value]).buffer);
const decode = (bytes: Uint8Array<ArrayBuffer> | null) => bytes && new Uint32Array(bytes.slice().buffer)[0]!;

const LIMITS = {
  "a file": EMBEDDED_LIMITS,
  // Some of the commits exceed these limits. The engine accepts them, as the limits of another version may be larger.
  "an engine whose limits some commits exceed": { ...EMBEDDED_LIMITS, checks: 3, mutations: 3 },
};

for (const [engine, limits] of Object.entries(LIMITS)) {
  Deno.test(`random overlapping commits have the effect of some order of them, and none fails without a reason: ${engine}`, async () => {
    const seed = Date.now() % 100_000;
    const random = seededRandom(seed);
    const below = (n: number) => Math.floor(random.float() * n);
    await using temp = await tempKv("file", EMBEDDED_LIMITS);
    const kv = withGroupCommit(withLimits(temp.engine, limits), { atOnce: 1, deadline });
    const model: Row[] = Array.from({ length: KEYS }, () => ({ value: null, versionstamp: null }));
    let shared = 0;
    for (let round = 0; round < ROUNDS; round++) {
      const before = structuredClone(model);
      const commits = Array.from({ length: COMMITS }, (_, n) => randomCommit(round * COMMITS + n));
      const results = await Promise.all(commits.map((commit) => make(commit)));

      const made = commits.flatMap((commit, at) => {
        const result = results[at]!;
        return result.ok ? [{ commit, versionstamp: result.versionstamp }] : [];
      }).toSorted((a, b) => a.versionstamp < b.versionstamp ? -1 : 1);
      shared += made.length - new Set(made.map(({ versionstamp }) => versionstamp)).size;
      const context = `seed ${seed}, round ${round}`;
      for (const { commit: { checks, writes }, versionstamp } of made) {
        for (const { key, versionstamp } of checks) {
          assert.equal(
            model[key]!.versionstamp,
            versionstamp,
            `${context}: a commit passed a check that fails`,
          );
        }
        for (const { key, value } of writes) {
          model[key] = value === null ? { value, versionstamp: null } : { value, versionstamp };
        }
      }
      const stored = await Promise.all(
        model.map((_, key) => temp.engine.get<Uint8Array<ArrayBuffer>>(keyOf(key))),
      );
      const rows = stored.map(({ value, versionstamp }) => ({ value: decode(value), versionstamp }));
      assert.deepEqual(rows, model, `${context}: the rows differ from those of the commits that were made`);

      const written = new Set(made.flatMap(({ commit }) => commit.writes.map(({ key }) => key)));
      commits.forEach(({ checks }, at) => {
        const isRefuted = checks.some(({ key, versionstamp }) =>
          versionstamp !== before[key]!.versionstamp || written.has(key)
        );
        assert(results[at]!.ok || isRefuted, `${context}: a commit failed although its checks hold`);
      });
    }
    assert(shared > ROUNDS, "hardly any commits shared an operation");

    function randomCommit(value: number): Commit {
      const keys = new Set(Array.from({ length: 1 + below(4) }, () => below(KEYS)));
      const checked = [...keys].filter(() => random.float() < 0.7);
      const written = [...keys].filter(() => random.float() < 0.7);
      return {
        checks: checked.map((key) => ({
          key,
          // One in twenty expects an older row.
          versionstamp: random.float() < 0.05 ? "00000000000000000000" : model[key]!.versionstamp,
        })),
        writes: written.map((key) => ({ key, value: random.float() < 0.3 ? null : value })),
      };
    }

    function make({ checks, writes }: Commit) {
      const tx = kv.atomic();
      for (const { key, versionstamp } of checks) tx.check({ key: keyOf(key), versionstamp });
      for (const { key, value } of writes) {
        if (value === null) tx.delete(keyOf(key));
        else tx.set(keyOf(key), encode(value));
      }
      return tx.commit();
    }
  });
}
