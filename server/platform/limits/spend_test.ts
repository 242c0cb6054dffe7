import assert from "node:assert/strict";
import { createKeyring } from "../keys/keyring.ts";
import { Chains } from "../kv/chains.ts";
import { countingKv } from "../../../dev/testing/counting_kv.ts";
import { ManualClock } from "../../../dev/testing/manual_clock.ts";
import { seededRandom } from "../../../dev/testing/seeded_random.ts";
import { tempKv } from "../../../dev/testing/temp_kv.ts";
import type { AtomicOperation, Kv } from "../kv/port.ts";
import { createPolicies } from "./policies.ts";
import { type Attempt, attempt, putLog, spend, timesOf } from "./spend.ts";

const DAY = 24 * 60 * 60 * 1000;
const policies = createPolicies(createKeyring(["a salt for tests, long enough to be one"]));
const device = policies.loginDevice("a-device");
const network = policies.loginIp("192.0.2.1");

/** Returns the dependencies of one process. Each process has its own chains. */
const processOn = (kv: Kv, clock = new ManualClock()) => ({
  kv,
  clock,
  random: seededRandom(1),
  chains: new Chains(),
});
const admitted = (result: Attempt | { retryAfterMs: number }) => {
  assert.ok("refund" in result);
  return result;
};

Deno.test("a log expires a day after its last entry stops counting, and then reads as empty", () => {
  const sets: unknown[][] = [];
  const tx = { set: (...args: unknown[]) => sets.push(args) } as unknown as AtomicOperation;
  putLog(tx, device, { times: [1, 2] });
  assert.deepEqual(sets, [[device.key, { v: 1, times: [1, 2] }, { expireIn: device.limit.spanMs + DAY }]]);
  assert.deepEqual(timesOf({ key: device.key, value: null, versionstamp: null }), []);
});

Deno.test("requests of one process queue for a log: one commit each, without conflicts", async () => {
  await using temp = await tempKv();
  const { kv, counts } = countingKv(temp.kv);
  const deps = processOn(kv);
  const verdicts = await Promise.all(Array.from({ length: 5 }, () => attempt(deps, [device])));
  assert.equal(counts.commits, 5);
  await Promise.all(verdicts.map((verdict) => admitted(verdict).refund()));
  assert.equal(counts.commits, 10);
});

Deno.test("processes that race for a log admit exactly the limit, and every refund takes effect", async () => {
  await using temp = await tempKv();
  const clock = new ManualClock();
  const race = Array.from({ length: 10 }, () => attempt(processOn(temp.kv, clock), [device]));
  const attempts = (await Promise.all(race)).filter((result) => "refund" in result);
  assert.equal(attempts.length, device.limit.max);
  await Promise.all(attempts.map(({ refund }) => refund()));
  assert.deepEqual(timesOf(await temp.kv.get(device.key)), []);
});

Deno.test("a request that one limit refuses counts toward none", async () => {
  await using temp = await tempKv();
  const deps = processOn(temp.kv);
  for (let i = 0; i < device.limit.max; i++) await spend(deps, device);
  const refused = await attempt(deps, [network, device]);
  assert.ok(!("refund" in refused));
  assert.equal(refused.retryAfterMs, device.limit.spanMs);
  assert.deepEqual(timesOf(await temp.kv.get(network.key)), []);
  assert.equal(timesOf(await temp.kv.get(device.key)).length, device.limit.max);
});

Deno.test("a refund removes its own entry from each log, and a second call removes nothing", async () => {
  await using temp = await tempKv();
  const deps = processOn(temp.kv);
  const times: number[] = [];
  const attempts: Attempt[] = [];
  for (let i = 0; i < 3; i++) {
    times.push(deps.clock.now());
    attempts.push(admitted(await attempt(deps, [network, device])));
    await deps.clock.advance(1_000);
  }
  for (let i = 0; i < 2; i++) {
    await attempts[1]!.refund();
    for (const { key } of [network, device]) {
      assert.deepEqual(timesOf(await temp.kv.get(key)), [times[0], times[2]]);
    }
  }
  await attempts[0]!.refund();
  assert.deepEqual(timesOf(await temp.kv.get(device.key)), [times[2]]);
});
