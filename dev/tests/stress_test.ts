import assert from "node:assert/strict";
import { numbersOf } from "../testing/seeded_random.ts";
import { delayOf, lateTimers } from "./delays.ts";
import { lateCalls, pauses } from "./stress.ts";

/** Started before the tests, as `deno task test:stress` does. */
const pause = pauses();

Deno.test("the same seed makes the same delays: mostly none, sometimes up to 30 ms, rarely longer", () => {
  const delays = (seed: number) => Array.from({ length: 10_000 }, delayOf.bind(null, numbersOf(seed)));
  assert.deepEqual(delays(1), delays(1));
  assert.notDeepEqual(delays(1), delays(2));
  const share = (is: (ms: number) => boolean) => delays(1).filter(is).length / 10_000;
  assert.ok(share((ms) => ms === 0) > 0.9);
  assert.ok(share((ms) => ms >= 1 && ms <= 30) > 0.03);
  const long = share((ms) => ms >= 100 && ms <= 200);
  assert.ok(long > 0 && long < 0.01);
});

Deno.test("a timer is late, never early, and never overtakes one that was due before it", () => {
  let now = 0;
  const startLate = lateTimers(delayOf.bind(null, numbersOf(3)), () => now);
  const random = numbersOf(4);
  const fired: { due: number; at: number }[] = [];
  for (let i = 0; i < 300; i++) {
    const ms = Math.floor(random() * 20);
    const soonest = now + ms;
    // The process is interrupted before the timer starts.
    const { due, at } = startLate(ms, (lateMs) => {
      now += Math.floor(random() * 3);
      return { due: now + ms, at: now + lateMs };
    });
    assert.ok(at >= due);
    for (const earlier of fired.filter((earlier) => earlier.due <= soonest)) assert.ok(at >= earlier.at);
    fired.push({ due, at });
    now += Math.floor(random() * 3);
  }
  assert.ok(fired.some(({ due, at }) => at > due));
});

Deno.test("a delayed call returns or throws what it would", async () => {
  const late = lateCalls(() => 1, pause);
  assert.equal(await late(() => Promise.resolve(1)), 1);
  await assert.rejects(late(() => Promise.reject(new Error("no"))), /no/);
});

Deno.test({
  name: "the sanitizers don't report the delay of a call that a test does not await",
  sanitizeOps: true,
  sanitizeResources: true,
  fn() {
    void lateCalls(() => 50, pause)(() => Promise.resolve());
  },
});
