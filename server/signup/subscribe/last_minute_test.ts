import assert from "node:assert/strict";
import fc from "fast-check";
import { createLastMinute } from "./last_minute.ts";

const NOON = Date.UTC(2025, 0, 1, 12);

Deno.test("99 % of the last minute's durations are within the percentile, which is at most 9 % too high", () => {
  const durations = fc.array(fc.integer({ min: 0, max: 2_000 }), { minLength: 1, maxLength: 400 });
  fc.assert(fc.property(durations, (durations) => {
    const minute = createLastMinute();
    for (const ms of durations) minute.add(ms, NOON);
    const exact = durations.toSorted((a, b) => a - b)[Math.ceil(durations.length * 0.99) - 1]!;
    const found = minute.percentile99(NOON);
    assert.ok(found >= exact - 1e-9 && found <= exact * 1.0906, `${found} for ${exact}`);
  }));
});

Deno.test("of a hundred durations the slowest does not count, and of fewer each counts", () => {
  const percentileOf = (durations: number[]) => {
    const minute = createLastMinute();
    for (const ms of durations) minute.add(ms, NOON);
    return minute.percentile99(NOON);
  };
  assert.equal(percentileOf([512, ...Array(99).fill(64)]), 64);
  assert.equal(percentileOf([512, 512, ...Array(98).fill(64)]), 512);
  assert.equal(percentileOf([512, ...Array(98).fill(64)]), 512);
});

Deno.test("a duration counts for 59 to 60 seconds, and without any the percentile is 0", () => {
  const minute = createLastMinute();
  assert.equal(minute.percentile99(NOON), 0);
  minute.add(512, NOON + 999);
  minute.add(64, NOON + 30_000);
  assert.equal(minute.percentile99(NOON + 59_999), 512);
  assert.equal(minute.percentile99(NOON + 60_000), 64);
  assert.equal(minute.percentile99(NOON + 90_000), 0);
});

Deno.test("after the clock was set back, durations still expire within a minute of its time", () => {
  const minute = createLastMinute();
  minute.add(512, NOON);
  assert.equal(minute.percentile99(NOON - 3_600_000), 512);
  assert.equal(minute.percentile99(NOON - 3_600_000 + 60_000), 0);
});

Deno.test("under load, only the newest seconds count, as soon as they have 500 durations", () => {
  const minute = createLastMinute();
  for (let i = 0; i < 100; i++) minute.add(512, NOON);
  for (let i = 0; i < 499; i++) minute.add(64, NOON + 5_000);
  assert.equal(minute.percentile99(NOON + 5_000), 512);
  minute.add(64, NOON + 5_000);
  assert.equal(minute.percentile99(NOON + 5_000), 64);
});
