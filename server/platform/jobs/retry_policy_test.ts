import assert from "node:assert/strict";
import fc from "fast-check";
import { backoffMs, RETRY, retryPolicy } from "./retry_policy.ts";

const NOW = Date.UTC(2025, 0, 1);
const DAY = 86_400_000;
const unit = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });

Deno.test("the wait is uniform below a ceiling that doubles from 30 s to 6 h", () => {
  const ceilings = [1, 2, 3, 10, 11, 2_000].map((failures) => backoffMs(failures, 1));
  assert.deepEqual(ceilings, [30_000, 60_000, 120_000, 15_360_000, RETRY.cap, RETRY.cap]);
  assert.equal(backoffMs(3, 0.5), 60_000);
});

Deno.test("a retry is a whole millisecond, never in the past, and at most 6 h away", () => {
  fc.assert(fc.property(
    fc.nat(10_000),
    unit,
    fc.integer({ min: -DAY, max: 3 * DAY }),
    fc.option(fc.oneof(fc.double(), fc.integer()), { nil: undefined }),
    (failures, random, age, retryAfterMs) => {
      const plan = retryPolicy({ failures, random, now: NOW, since: NOW - age, retryAfterMs });
      assert("retryAt" in plan);
      assert(Number.isSafeInteger(plan.retryAt));
      assert(plan.retryAt >= NOW + RETRY.min && plan.retryAt <= NOW + RETRY.cap);
    },
  ));
});

Deno.test("a retry is never before Retry-After, which is capped at 6 h; invalid values are ignored", () => {
  const at = (retryAfterMs: number) => {
    const plan = retryPolicy({ failures: 1, since: NOW, now: NOW, random: 0, retryAfterMs });
    return "retryAt" in plan ? plan.retryAt - NOW : NaN;
  };
  assert.equal(at(90_000), 90_000);
  assert.equal(at(7 * DAY), RETRY.cap);
  assert.equal(at(Infinity), RETRY.cap);
  for (const invalid of [NaN, -1, 0, -Infinity]) assert.equal(at(invalid), RETRY.min);
  fc.assert(
    fc.property(fc.nat(20), unit, fc.integer({ min: 1, max: RETRY.cap }), (failures, random, requested) => {
      const plan = retryPolicy({ failures, since: NOW, now: NOW, random, retryAfterMs: requested });
      assert("retryAt" in plan && plan.retryAt >= NOW + requested);
    }),
  );
});

Deno.test("a job that has failed for 3 days is retried; a millisecond later it is dead, with the reason", () => {
  const plan = (age: number) => retryPolicy({ failures: 10, since: NOW - age, now: NOW, random: 0.5 });
  assert("retryAt" in plan(3 * DAY));
  assert.deepEqual(plan(3 * DAY + 1), { dead: "not done within 3 days, in 10 attempts" });
});

Deno.test("no job is dead after fewer than ten failures, and three days of failures are never fewer", () => {
  for (let failures = 1; failures < 10; failures++) {
    assert("retryAt" in retryPolicy({ failures, since: NOW - 30 * DAY, now: NOW, random: 0.5 }));
  }
  let [now, failures] = [NOW, 0];
  for (;; failures++) {
    const plan = retryPolicy({ failures: failures + 1, since: NOW, now, random: 0.999, retryAfterMs: DAY });
    if ("dead" in plan) break;
    now = plan.retryAt;
  }
  assert.ok(failures >= 10);
});
