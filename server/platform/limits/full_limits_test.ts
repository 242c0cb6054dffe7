import assert from "node:assert/strict";
import { createKeyring } from "../keys/keyring.ts";
import { FullLimits } from "./full_limits.ts";
import { admitTo, createPolicies } from "./policies.ts";

const policies = createPolicies(createKeyring(["a salt for tests, long enough to be one"]));
const ip = policies.ip("192.0.2.1");
const { max, spanMs } = ip.limit;
const NOON = Date.UTC(2025, 0, 1, 12);
const HOUR = 60 * 60 * 1000;
const refusedAt = (now: number, policy = ip) =>
  ({ admitted: false, at: now, retryAfterMs: policy.limit.spanMs }) as const;

Deno.test("a full limit has the same Retry-After as its log, and none as soon as one more request fits", () => {
  const log = Array.from({ length: max }, (_, i) => NOON + 1_000 * i);
  const full = new FullLimits();
  for (let now = NOON + 5_000; now < NOON + spanMs + 10_000; now += 3_333) {
    const verdict = admitTo(ip, { times: log }, now);
    const known = full.retryAfterMs(ip, now);
    if (known !== undefined) assert.deepEqual({ admitted: false, at: now, retryAfterMs: known }, verdict);
    full.note(ip, verdict);
    assert.equal(full.retryAfterMs(ip, now), verdict.admitted ? undefined : verdict.retryAfterMs);
  }
  full.note(ip, { admitted: false, at: NOON, retryAfterMs: 5_000 });
  assert.equal(full.retryAfterMs(ip, NOON + 4_999), 1);
  assert.equal(full.retryAfterMs(ip, NOON + 5_000), undefined);
  assert.equal(full.size, 0);
});

Deno.test("the database decides again after ten seconds, after the clock was set back, and for another limit", () => {
  const full = new FullLimits();
  full.note(ip, refusedAt(NOON));
  assert.equal(full.retryAfterMs(ip, NOON + 9_999), spanMs - 9_999);
  assert.equal(full.retryAfterMs(ip, NOON + 10_000), undefined);
  full.note(ip, refusedAt(NOON));
  assert.equal(full.retryAfterMs(ip, NOON - 1), undefined);
  const site = policies.site(30, ["a", "a"])!;
  full.note(site, refusedAt(NOON, site));
  assert.equal(full.retryAfterMs(policies.site(31, ["a", "a"])!, NOON), undefined);
});

Deno.test("a limit with refunds, one that hides its times and one with a corrected log are not remembered", () => {
  const full = new FullLimits();
  for (const policy of [policies.loginIp("192.0.2.1"), policies.mailbox("ada@example.com")]) {
    full.note(policy, refusedAt(NOON, policy));
  }
  full.note(ip, admitTo(ip, { times: Array(max).fill(NOON + 3 * HOUR) }, NOON));
  assert.equal(full.size, 0);
});

Deno.test("an admission forgets the limit", () => {
  const full = new FullLimits();
  full.note(ip, refusedAt(NOON));
  full.note(ip, admitTo(ip, { times: [] }, NOON));
  assert.equal(full.retryAfterMs(ip, NOON), undefined);
});

Deno.test("at most 10,000 limits are remembered; the one seen longest ago makes room", () => {
  const full = new FullLimits();
  const nth = (n: number) => policies.ip(`198.51.${n >> 8}.${n & 255}`);
  for (let n = 0; n < 10_000; n++) full.note(nth(n), refusedAt(NOON));
  full.note(nth(0), refusedAt(NOON));
  full.note(nth(10_000), refusedAt(NOON));
  assert.equal(full.size, 10_000);
  assert.equal(full.retryAfterMs(nth(0), NOON), spanMs);
  assert.equal(full.retryAfterMs(nth(1), NOON), undefined);
});
