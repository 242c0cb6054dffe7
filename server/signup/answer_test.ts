import assert from "node:assert/strict";
import type { Random } from "../deps.ts";
import { ManualClock } from "../testing/manual_clock.ts";
import { seededRandom } from "../testing/seeded_random.ts";
import { createPace } from "./answer.ts";

/** A clock that only notes how long it was asked to sleep. */
function pace(floorMs: number, random: Random = seededRandom(7)) {
  const slept: number[] = [];
  let now = 1_000_000;
  const clock = { now: () => now, sleep: (ms: number) => (slept.push(ms), Promise.resolve()) };
  return { slept, pass: (ms: number) => now += ms, pace: createPace({ clock, random, floorMs }) };
}
const drawing = (float: number): Random => ({ ...seededRandom(1), float: () => float });

Deno.test("a success leaves at arrival + floor + its own jitter, whatever was done in between", async () => {
  for (const took of [0, 1, 20, 75]) {
    const { pace: pacing, slept, pass } = pace(75, drawing(0.5));
    const arrival = pacing.arrive();
    pass(took);
    await arrival.leave();
    assert.deepEqual(slept, [75 + 25 - took]);
  }
});

Deno.test("the jitter is drawn at the arrival, once, and is uniform in 0 to 50 ms", async () => {
  let drawn = 0;
  const seeded = seededRandom(42);
  const { pace: pacing, slept } = pace(0, { ...seeded, float: () => (drawn++, seeded.float()) });
  for (let i = 0; i < 2_000; i++) {
    const arrival = pacing.arrive();
    assert.equal(drawn, i + 1);
    await arrival.leave();
  }
  assert.equal(drawn, 2_000);
  assert.ok(slept.every((ms) => ms >= 0 && ms < 50));
  for (let tenth = 0; tenth < 10; tenth++) {
    const share = slept.filter((ms) => Math.floor(ms / 5) === tenth).length / slept.length;
    assert.ok(Math.abs(share - 0.1) < 0.03, `${share} of all in the tenth ${tenth}`);
  }
});

Deno.test("the floor rises to the 99th percentile of accepts, for fakes as well, and sinks again", async () => {
  const { pace: pacing, slept, pass } = pace(75, drawing(0));
  const accept = (ms: number) => {
    const arrival = pacing.arrive();
    pass(ms);
    arrival.accepted();
  };
  for (let i = 0; i < 99; i++) accept(10);
  await pacing.arrive().leave();
  accept(300);
  await pacing.arrive().leave();
  accept(400);
  await pacing.arrive().leave();
  for (let i = 0; i < 512; i++) accept(10);
  await pacing.arrive().leave();
  assert.deepEqual(slept, [75, 75, 300, 75]);
});

Deno.test("an accept that took minutes holds up nobody for more than two seconds", async () => {
  const { pace: pacing, slept, pass } = pace(75, drawing(0));
  const arrival = pacing.arrive();
  pass(600_000);
  arrival.accepted();
  await pacing.arrive().leave();
  assert.deepEqual(slept, [2_000]);
});

Deno.test("a clock that goes back while a request is here does not keep it", async () => {
  const clock = new ManualClock();
  const arrival = createPace({ clock, random: drawing(0.5), floorMs: 75 }).arrive();
  clock.set(clock.now() - 3_600_000);
  let left = false;
  const leaving = arrival.leave().then(() => left = true);
  await clock.advance(99);
  assert.equal(left, false);
  await clock.advance(1);
  await leaving;
});
