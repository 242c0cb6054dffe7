import assert from "node:assert/strict";
import fc from "fast-check";
import { createLatest } from "./latest.ts";

Deno.test("the 99th percentile is the smallest value that 99 in 100 of the latest do not exceed", () => {
  assert.equal(createLatest(3).percentile99(), 0);
  const values = fc.array(fc.nat(5_000), { minLength: 1, maxLength: 600 });
  fc.assert(fc.property(values, fc.integer({ min: 1, max: 512 }), (values, size) => {
    const latest = createLatest(size);
    for (const value of values) latest.note(value);
    const kept = values.slice(-size);
    const p = latest.percentile99();
    const within = (most: number) => kept.filter((value) => value <= most).length / kept.length;
    assert.ok(kept.includes(p) && within(p) >= 0.99 && within(p - 1) < 0.99);
  }));
});
