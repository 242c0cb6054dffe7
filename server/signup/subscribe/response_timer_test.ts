import assert from "node:assert/strict";
import type { Random } from "../../platform/deps.ts";
import { EventClock } from "../../../dev/testing/event_clock.ts";
import { ManualClock } from "../../../dev/testing/manual_clock.ts";
import { seededRandom } from "../../../dev/testing/seeded_random.ts";
import { createResponseTimer, type RequestTimer } from "./response_timer.ts";

/** A timer whose clock does not sleep, but records until when it should sleep. */
function recordingTimer(floorMs: number, random: Random = seededRandom(7)) {
  let sleptUntil = 0;
  let now = 1_000_000;
  const clock = { now: () => now, sleep: (ms: number) => (sleptUntil = now + ms, Promise.resolve()) };
  const advance = (ms: number) => now += ms;
  const timer = createResponseTimer({ clock, random, floorMs });
  const accept = (ms: number, request = timer.start()) =>
    accepted(request, () => Promise.resolve(advance(ms)));
  /** Returns how long after its start a request that is busy for `workMs` gets its success, in milliseconds. */
  const respond = async (workMs = 0) => {
    const startedAt = now;
    const request = timer.start();
    advance(workMs);
    await request.waitUntilDue();
    return sleptUntil - startedAt;
  };
  return { advance, timer, accept, respond };
}
const accepted = (request: RequestTimer, work: () => Promise<unknown>) =>
  request.timeAccept(work, () => true);
const randomOf = (float: number): Random => ({ ...seededRandom(1), float: () => float });

Deno.test("a success is due at start + floor + its own jitter, however long the work in between took", async () => {
  for (const workMs of [0, 1, 20, 75]) {
    const { respond } = recordingTimer(75, randomOf(0.5));
    assert.equal(await respond(workMs), 75 + 25);
  }
});

Deno.test("the jitter is drawn once, at the start, and is uniform from 0 to 50 ms", async () => {
  let drawn = 0;
  const seeded = seededRandom(42);
  const { respond } = recordingTimer(0, { ...seeded, float: () => (drawn++, seeded.float()) });
  const slept: number[] = [];
  for (let i = 0; i < 2_000; i++) {
    const response = respond();
    assert.equal(drawn, i + 1);
    slept.push(await response);
  }
  assert.equal(drawn, 2_000);
  assert.ok(slept.every((ms) => ms >= 0 && ms < 50));
  for (let tenth = 0; tenth < 10; tenth++) {
    const share = slept.filter((ms) => Math.floor(ms / 5) === tenth).length / slept.length;
    assert.ok(Math.abs(share - 0.1) < 0.03, `tenth ${tenth} has a share of ${share}`);
  }
});

Deno.test("the minimum response time rises with slow signups of the last minute, and falls when they are older", async () => {
  const { advance, accept, respond } = recordingTimer(75, randomOf(0));
  for (let i = 0; i < 99; i++) await accept(21);
  assert.equal(await respond(), 75);
  for (let i = 0; i < 3; i++) await accept(256);
  assert.equal(await respond(), 256);
  advance(55_000);
  assert.equal(await respond(), 256);
  advance(5_000);
  assert.equal(await respond(), 75);
});

Deno.test("a signup that nothing hurried keeps its effect until 128 others, whatever time passes", async () => {
  const { advance, accept, respond } = recordingTimer(75, randomOf(0));
  await accept(150);
  advance(5 * 60_000);
  assert.equal(await respond(), 150);
  for (let i = 0; i < 128; i++) {
    await accept(10);
    advance(5 * 60_000);
  }
  assert.equal(await respond(), 75);
});

Deno.test("an accepted signup that took minutes delays later responses by two seconds at most", async () => {
  const { accept, respond } = recordingTimer(75, randomOf(0));
  await accept(600_000);
  assert.equal(await respond(), 2_000);
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

Deno.test("successes due in the same millisecond are sent in the order of their requests, whatever work they took", async () => {
  for (const accepts of [[true, false, true, false], [false, true, false, true]]) {
    const clock = new EventClock();
    const timer = createResponseTimer({ clock, random: randomOf(0), floorMs: 75 });
    const sent: number[] = [];
    for (const [index, isAccepted] of accepts.entries()) {
      clock.at(0, async () => {
        const request = timer.start();
        if (isAccepted) await accepted(request, () => clock.sleep(20));
        await request.waitUntilDue();
        sent.push(index);
      });
    }
    await clock.runAll();
    assert.deepEqual(sent, [0, 1, 2, 3]);
  }
});
