import assert from "node:assert/strict";
import fc from "fast-check";
import { countingKv } from "./counting_kv.ts";
import { memoryLog } from "./memory_log.ts";
import { seededRandom } from "./seeded_random.ts";
import { tempKv } from "./temp_kv.ts";

Deno.test("the same seed gives the same numbers, within their ranges, and well-formed UUIDs", () => {
  fc.assert(fc.property(fc.integer(), (seed) => {
    const [one, two] = [seededRandom(seed), seededRandom(seed)];
    for (let i = 0; i < 20; i++) {
      const float = one.float();
      assert(float >= 0 && float < 1);
      assert.equal(float, two.float());
    }
    assert.deepEqual(one.bytes(8), two.bytes(8));
    assert.match(one.uuid(), /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  }));
});

Deno.test("a counting database counts every round trip and otherwise behaves the same", async () => {
  await using temp = await tempKv();
  const { kv, counts, reset } = countingKv(temp.kv);
  await kv.set(["a"], 1);
  assert.equal((await kv.get(["a"])).value, 1);
  await kv.getMany([["a"], ["b"]]);
  assert.equal((await Array.fromAsync(kv.list({ prefix: [] }))).length, 1);
  const committed = await kv.atomic().check({ key: ["b"], versionstamp: null }).set(["b"], 2).commit();
  assert.equal(committed.ok, true);
  await kv.delete(["a"]);
  assert.deepEqual(counts, { reads: 3, commits: 3 });
  reset();
  assert.deepEqual(counts, { reads: 0, commits: 0 });
});

Deno.test("a memory log keeps level, event and fields in order", () => {
  const log = memoryLog();
  log.info("one", { a: 1 });
  log.error("two");
  assert.deepEqual(log.entries.map(({ level, event }) => `${level} ${event}`), ["info one", "error two"]);
  assert.deepEqual(log.of("one"), [{ level: "info", event: "one", fields: { a: 1 } }]);
});
