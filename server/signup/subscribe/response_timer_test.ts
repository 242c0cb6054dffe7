import assert from "node:assert/strict";
import type { Random } from "../../platform/deps.ts";
import { ManualClock } from "../../../dev/testing/manual_clock.ts";
import { seededRandom } from "../../../dev/testing/seeded_random.ts";
import { createResponseTimer, type RequestTimer } from "./response_timer.ts";

/** A timer whose clock does not sleep, but records how long it should sleep. */
function recordingTimer(floorMs: number, random: Random = seededRandom(7)) {
  const slept: number[] = [];
  let now = 1_000_000;
  const clock = { now: () => now, sleep: (ms: number) => (slept.push(ms), Promise.resolve()) };
  const advance = (ms: number) => now += ms;
  const timer = createResponseTimer({ clock, random, floorMs });
  const accept = (ms: number, request = timer.start()) =>
    accepted(request, () => Promise.resolve(advance(ms)));
  return { slept, advance, timer, accept };
}
const accepted = (request: RequestTimer, work: () => Promise<unknown>) =>
  request.timeAccept(work, () => true);
const randomOf = (float: number): Random => ({ ...seededRandom(1), float: () => float });

Deno.test("a success is due at start + floor + its own jitter, however long the work in between took", async () => {
  for (const workMs of [0, 1, 20, 75]) {
    const { timer, slept, advance } = recordingTimer(75, randomOf(0.5));
    const request = timer.start();
    advance(workMs);
    await request.waitUntilDue();
    assert.deepEqual(slept, [75 + 25 - workMs]);
  }
});

Deno.test("the jitter is drawn once, at the start, and is uniform from 0 to 50 ms", async () => {
  let drawn = 0;
  const seeded = seededRandom(42);
  const { timer, slept } = recordingTimer(0, { ...seeded, float: () => (drawn++, seeded.float()) });
  for (let i = 0; i < 2_000; i++) {
    const request = timer.start();
    assert.equal(drawn, i + 1);
    await request.waitUntilDue();
  }
  assert.equal(drawn, 2_000);
  assert.ok(slept.every((ms) => ms >= 0 && ms < 50));
  for (let tenth = 0; tenth < 10; tenth++) {
    const share = slept.filter((ms) => Math.floor(ms / 5) === tenth).length / slept.length;
    assert.ok(Math.abs(share - 0.1) < 0.03, `tenth ${tenth} has a share of ${share}`);
  }
});

Deno.test("the minimum response time rises with slow signups of the last minute, and falls when they are older", async () => {
  const { timer, slept, advance, accept } = recordingTimer(75, randomOf(0));
  for (let i = 0; i < 99; i++) await accept(21);
  await timer.start().waitUntilDue();
  for (let i = 0; i < 3; i++) await accept(256);
  await timer.start().waitUntilDue();
  advance(55_000);
  await timer.start().waitUntilDue();
  advance(5_000);
  await timer.start().waitUntilDue();
  assert.deepEqual(slept, [75, 256, 256, 75]);
});

Deno.test("a signup that nothing hurried keeps its effect until 128 others, whatever time passes", async () => {
  const { timer, slept, advance, accept } = recordingTimer(75, randomOf(0));
  await accept(150);
  advance(5 * 60_000);
  await timer.start().waitUntilDue();
  for (let i = 0; i < 128; i++) {
    await accept(10);
    advance(5 * 60_000);
  }
  await timer.start().waitUntilDue();
  assert.deepEqual(slept, [150, 75]);
});

Deno.test("an accepted signup that took minutes delays later responses by two seconds at most", async () => {
  const { timer, slept, accept } = recordingTimer(75, randomOf(0));
  await accept(600_000);
  await timer.start().waitUntilDue();
  assert.deepEqual(slept, [2_000]);
});

Deno.test("a clock that is set back during a request does not delay its response", async () => {
  const clock = new ManualClock();
  const request = createResponseTimer({ clock, random: randomOf(0.5), floorMs: 75 }).start();
  clock.set(clock.now() - 3_600_000);
  let isDue = false;
  const due = request.waitUntilDue().then(() => isDue = true);
  await clock.advance(99);
  assert.equal(isDue, false);
  await clock.advance(1);
  await due;
});
