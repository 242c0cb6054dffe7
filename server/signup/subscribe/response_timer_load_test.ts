import assert from "node:assert/strict";
import { EventClock } from "../../../dev/testing/event_clock.ts";
import { seededRandom } from "../../../dev/testing/seeded_random.ts";
import { createResponseTimer } from "./response_timer.ts";

/** Response times under load: while at least 50 signups per second are being accepted. */

const FLOOR_MS = 75;
const JITTER_MS = 25;
const NEVER = Infinity;

interface Request {
  /** Milliseconds. */
  at: number;
  /** How long the work of accepting it takes; undefined for a dropped request. */
  workMs?: number;
  limited?: boolean;
}

/** Returns how long each request takes until its success may be sent, in milliseconds. */
async function responseTimes(requests: readonly Request[]): Promise<number[]> {
  const clock = new EventClock();
  const random = { ...seededRandom(1), float: () => JITTER_MS / 50 };
  const timer = createResponseTimer({ clock, random, floorMs: FLOOR_MS });
  const times: number[] = [];
  const respond = async ({ at, workMs, limited = false }: Request, index: number) => {
    const request = timer.start();
    if (workMs === NEVER) return void request.timeAccept(() => new Promise(() => {}), () => true);
    if (workMs !== undefined) await request.timeAccept(() => clock.sleep(workMs), () => !limited);
    await request.waitUntilDue();
    times[index] = clock.now() - at;
  };
  for (const [index, request] of requests.entries()) {
    clock.at(request.at, () => void respond(request, index));
  }
  await clock.runAll();
  return times;
}

const LOAD = Array.from({ length: 50 }, (_, at): Request => ({ at: at - 50, workMs: 1 }));

async function underLoad(...requests: Request[]): Promise<number[]> {
  return (await responseTimes([...LOAD, ...requests])).slice(LOAD.length);
}

Deno.test("under load, an accepted signup waits for the three before it and its jitter, not for others", async () => {
  const [, , , third, fourth, later] = await underLoad(
    { at: 0, workMs: 900 },
    { at: 1, workMs: 300 },
    { at: 2, workMs: 300 },
    { at: 3, workMs: 300 },
    { at: 4, workMs: 300 },
    { at: 940, workMs: 400 },
  );
  assert.deepEqual([third, fourth, later], [900 + JITTER_MS, 300 + JITTER_MS, 400 + JITTER_MS]);
});

Deno.test("under load, a millisecond more of work for known people is hardly seen in their response times", async () => {
  const random = seededRandom(3);
  const isKnown = Array.from({ length: 4_000 }, () => random.float() < 0.5);
  const times = await underLoad(
    ...isKnown.map((known, i): Request => ({
      at: i * 2.5,
      workMs: 90 + 20 * random.float() + (known ? 1 : 0),
    })),
  );
  const mean = (of: boolean) => {
    const ms = times.filter((_, i) => isKnown[i] === of);
    return ms.reduce((sum, value) => sum + value, 0) / ms.length;
  };
  const difference = mean(true) - mean(false);
  assert.ok(difference > 0 && difference < 0.5, `${difference} ms`);
});

Deno.test("under load, a signup whose work and that of those before it has ended sets no timer but its own", async () => {
  const clock = new EventClock();
  let timers = 0;
  const counted = {
    now: clock.now,
    sleep: (ms: number) => (timers++, clock.sleep(ms)),
  };
  const timer = createResponseTimer({ clock: counted, random: seededRandom(1), floorMs: FLOOR_MS });
  const signUp = async () => {
    const request = timer.start();
    await request.timeAccept(() => Promise.resolve(), () => true);
    await request.waitUntilDue();
  };
  for (let at = 0; at < 60; at++) clock.at(at, () => void signUp());
  await clock.runAll();
  assert.equal(timers, 60);
});

Deno.test("under load, the minimum response time of the configuration still holds", async () => {
  assert.deepEqual(await underLoad({ at: 0, workMs: 10 }), [FLOOR_MS + JITTER_MS]);
});

Deno.test("under load, a dropped request takes as long as the slowest of four signups before it", async () => {
  const [, afterFirst, , afterAll] = await underLoad(
    { at: 0, workMs: 300 },
    { at: 1 },
    { at: 2, workMs: 500 },
    { at: 700 },
  );
  assert.deepEqual([afterFirst, afterAll], [300 + JITTER_MS, 500 + JITTER_MS]);
});

Deno.test("under load, a dropped request waits two seconds at most for a signup that hangs", async () => {
  const [, dropped] = await underLoad({ at: 0, workMs: NEVER }, { at: 10 });
  assert.equal(dropped, 2_000 + JITTER_MS);
});

Deno.test("under load, a dropped request after one that was limited waits like the slowest of the last minute", async () => {
  const [, , dropped] = await underLoad(
    { at: 0, workMs: 256 },
    { at: 300, workMs: 1, limited: true },
    { at: 302 },
  );
  assert.equal(dropped, 256 + JITTER_MS);
});

Deno.test("a second after the last signup, the load is over", async () => {
  const [, dropped] = await underLoad({ at: 0, workMs: 256 }, { at: 1_002 });
  assert.equal(dropped, 256 + JITTER_MS);
});

Deno.test("without load, when the minimum rises while a success waits, the success waits longer", async () => {
  const [, dropped] = await responseTimes([{ at: 0, workMs: 256 }, { at: 200 }]);
  assert.equal(dropped, 256 + JITTER_MS);
});
