import assert from "node:assert/strict";
import { openDenoKv } from "./engines/deno_kv.ts";
import { type Kv, KvU64 } from "./port.ts";
import { withPortableValues } from "./portable_values.ts";

const ROW = { v: 1, name: "Zoë 🚀", times: [1_795_304_874_832.5], nested: { on: true, nothing: null } };

async function using(work: (raw: Kv, kv: Kv) => Promise<void>) {
  const raw = await openDenoKv(":memory:");
  try {
    await work(raw, withPortableValues(raw));
  } finally {
    raw.close();
  }
}

Deno.test("every write method stores bytes, which every version of Deno can read", () =>
  using(async (raw, kv) => {
    await kv.set(["set"], ROW);
    await kv.atomic().set(["atomic"], ROW).check({ key: ["free"], versionstamp: null }).set(["number"], 1)
      .commit();
    for (const key of ["set", "atomic", "number"]) {
      assert.ok((await raw.get([key])).value instanceof Uint8Array, key);
    }
  }));

Deno.test("every read method returns what was written, with its key and versionstamp", () =>
  using(async (_raw, kv) => {
    await kv.set(["rows", 1], ROW);
    const entry = await kv.get(["rows", 1]);
    assert.deepEqual(entry.value, ROW);
    assert.deepEqual(await kv.getMany([["rows", 1], ["rows", 2]]), [
      entry,
      { key: ["rows", 2], value: null, versionstamp: null },
    ]);
    assert.deepEqual(await Array.fromAsync(kv.list({ prefix: ["rows"] })), [entry]);
    const checked = await kv.atomic().check(entry).set(["rows", 1], 2).commit();
    assert.ok(checked.ok);
  }));

Deno.test("one commit can set the same value under several keys", () =>
  using(async (_raw, kv) => {
    await kv.atomic().set(["rows", 1], ROW).set(["rows", 2], ROW).set(["rows", 3], 1).set(["rows", 4], ROW)
      .commit();
    const found = await Array.fromAsync(kv.list({ prefix: ["rows"] }));
    assert.deepEqual(found.map(({ value }) => value), [ROW, ROW, 1, ROW]);
  }));

Deno.test("counters stay counters", () =>
  using(async (_raw, kv) => {
    await kv.set(["count"], new KvU64(2n));
    await kv.atomic().sum(["count"], 3n).commit();
    assert.deepEqual((await kv.get(["count"])).value, new KvU64(5n));
  }));

Deno.test("rows in V8's format are still readable", () =>
  using(async (raw, kv) => {
    await raw.set(["old"], ROW);
    assert.deepEqual((await kv.get(["old"])).value, ROW);
  }));
