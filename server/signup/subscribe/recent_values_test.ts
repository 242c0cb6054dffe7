import assert from "node:assert/strict";
import fc from "fast-check";
import { createRecentValues } from "./recent_values.ts";

Deno.test("the 99th percentile is the smallest value that 99 % of the recent values do not exceed", () => {
  assert.equal(createRecentValues(3).percentile(0.99), 0);
  const values = fc.array(fc.nat(5_000), { minLength: 1, maxLength: 600 });
  fc.assert(fc.property(values, fc.integer({ min: 1, max: 512 }), (values, size) => {
    const recent = createRecentValues(size);
    for (const value of values) recent.add(value);
    const kept = values.slice(-size);
    const p = recent.percentile(0.99);
    const shareWithin = (limit: number) => kept.filter((value) => value <= limit).length / kept.length;
    assert.ok(kept.includes(p) && shareWithin(p) >= 0.99 && shareWithin(p - 1) < 0.99);
  }));
});
