import assert from "node:assert/strict";
import type { Clock } from "../host/clock.ts";
import { keepToken, READY_AFTER_MS, REFRESH_AFTER_MS, waitFor } from "./token.ts";

const HOUR = 3_600_000;
const held = { token: "t", at: { wall: 1_000_000, steady: 500 } };
/** A moment after the token arrived, by each clock. */
const after = (wall: number, steady = wall) => ({
  wall: held.at.wall + wall,
  steady: held.at.steady + steady,
});

Deno.test("without a token one is fetched", () => {
  assert.equal(waitFor(undefined, after(0)), undefined);
});

Deno.test("a young token waits out the rest of the server's three seconds, with a margin", () => {
  assert.ok(READY_AFTER_MS > 3000);
  assert.equal(waitFor(held, after(0)), READY_AFTER_MS);
  assert.equal(waitFor(held, after(1000)), READY_AFTER_MS - 1000);
  assert.equal(waitFor(held, after(READY_AFTER_MS)), 0);
});

Deno.test("an old token is never sent, though the server would take it for a while longer", () => {
  assert.ok(REFRESH_AFTER_MS < 2 * HOUR - 20 * 60_000);
  assert.equal(waitFor(held, after(REFRESH_AFTER_MS)), 0);
  assert.equal(waitFor(held, after(REFRESH_AFTER_MS + 1)), undefined);
});

Deno.test("setting the time of day forward does not send a token early", () => {
  assert.equal(waitFor(held, after(HOUR, 100)), READY_AFTER_MS - 100);
});

Deno.test("setting the time of day back does not keep a token alive", () => {
  assert.equal(waitFor(held, after(-1, 5000)), undefined);
  assert.equal(waitFor(held, after(0, REFRESH_AFTER_MS + 1)), undefined);
});

Deno.test("sleep counts, though one clock stood still meanwhile", () => {
  assert.equal(waitFor(held, after(3 * HOUR, 10_000)), undefined);
});

/** A clock that moves only when somebody sleeps, or the test says so. */
function testClock(): Clock & { pass(ms: number): void; slept: number[] } {
  let now = 0;
  const slept: number[] = [];
  return {
    slept,
    read: () => ({ wall: now, steady: now }),
    pass: (ms) => void (now += ms),
    sleep(ms) {
      slept.push(ms);
      now += ms;
      return Promise.resolve();
    },
  };
}

Deno.test("a token that was fetched when the form was seen needs no waiting later", async () => {
  const clock = testClock();
  let fetched = 0;
  const keeper = keepToken(() => Promise.resolve(`t${++fetched}`), clock);
  keeper.warm();
  await Promise.resolve();
  clock.pass(10_000);
  assert.equal(await keeper.take(), "t1");
  assert.deepEqual(clock.slept, []);
});

Deno.test("a failed fetch is tried again when the visitor submits", async () => {
  const clock = testClock();
  let fetched = 0;
  const keeper = keepToken(
    () => ++fetched === 1 ? Promise.reject(new TypeError("no network")) : Promise.resolve(`t${fetched}`),
    clock,
  );
  keeper.warm();
  // Until it has failed.
  await new Promise((resolve) => setTimeout(resolve));
  assert.equal(await keeper.take(), "t2");
  assert.deepEqual(clock.slept, [READY_AFTER_MS]);
});

Deno.test("whoever has waited for a silent server does not wait as long again", async () => {
  let fetched = 0;
  let giveUp = (_: Error) => {};
  const keeper = keepToken(() => {
    fetched++;
    return new Promise((_, reject) => giveUp = reject);
  }, testClock());
  keeper.warm();
  const taken = keeper.take();
  giveUp(new DOMException("", "TimeoutError"));
  await assert.rejects(taken, { name: "TimeoutError" });
  assert.equal(fetched, 1);
});

Deno.test("a token that can't be had is told, and the next try starts anew", async () => {
  let works = false;
  const keeper = keepToken(
    () => works ? Promise.resolve("t") : Promise.reject(new TypeError("no")),
    testClock(),
  );
  await assert.rejects(keeper.take(), TypeError);
  works = true;
  assert.equal(await keeper.take(), "t");
});

Deno.test("a machine that sleeps while a submission waits does not send a stale token", async () => {
  const clock = testClock();
  let fetched = 0;
  const sleep = clock.sleep;
  clock.sleep = (ms) => {
    if (clock.slept.length === 0) clock.pass(3 * HOUR);
    return sleep(ms);
  };
  const keeper = keepToken(() => Promise.resolve(`t${++fetched}`), clock);
  assert.equal(await keeper.take(), "t2");
});

Deno.test("several who ask at once share one fetch", async () => {
  let fetched = 0;
  const keeper = keepToken(() => Promise.resolve(`t${++fetched}`), testClock());
  keeper.warm();
  keeper.warm();
  assert.deepEqual(await Promise.all([keeper.take(), keeper.take()]), ["t1", "t1"]);
});

Deno.test("coming back from the back-forward cache fetches a new token, however young the old one", async () => {
  let fetched = 0;
  const keeper = keepToken(() => Promise.resolve(`t${++fetched}`), testClock());
  await keeper.take();
  keeper.renew();
  assert.equal(await keeper.take(), "t2");
});
