import assert from "node:assert/strict";
import type { Clock } from "../host/clock.ts";
import { createTokenKeeper, READY_AFTER_MS, REFRESH_AFTER_MS, tokenWait } from "./token.ts";

const HOUR = 3_600_000;
const held = { token: "t", at: { wall: 1_000_000, monotonic: 500 } };
/** Returns a reading of both clocks, the given milliseconds after the token arrived. */
const after = (wall: number, monotonic = wall) => ({
  wall: held.at.wall + wall,
  monotonic: held.at.monotonic + monotonic,
});

Deno.test("a token is fetched if none is held", () => {
  assert.equal(tokenWait(undefined, after(0)), undefined);
});

Deno.test("a young token waits for the server's three seconds plus a margin", () => {
  assert.ok(READY_AFTER_MS > 3000);
  assert.equal(tokenWait(held, after(0)), READY_AFTER_MS);
  assert.equal(tokenWait(held, after(1000)), READY_AFTER_MS - 1000);
  assert.equal(tokenWait(held, after(READY_AFTER_MS)), 0);
});

Deno.test("an old token is replaced well before the server would reject it", () => {
  assert.ok(REFRESH_AFTER_MS < 2 * HOUR - 20 * 60_000);
  assert.equal(tokenWait(held, after(REFRESH_AFTER_MS)), READY_AFTER_MS - REFRESH_AFTER_MS);
  assert.equal(tokenWait(held, after(REFRESH_AFTER_MS + 1)), undefined);
});

Deno.test("setting the wall clock forward does not send a token early", () => {
  assert.equal(tokenWait(held, after(HOUR, 100)), READY_AFTER_MS - 100);
});

Deno.test("setting the wall clock back does not extend a token's life", () => {
  assert.equal(tokenWait(held, after(-1, 5000)), undefined);
  assert.equal(tokenWait(held, after(0, REFRESH_AFTER_MS + 1)), undefined);
});

Deno.test("a token expires while the machine sleeps, although the monotonic clock stops", () => {
  assert.equal(tokenWait(held, after(3 * HOUR, 10_000)), undefined);
});

/** A clock that advances only on `sleep` and `pass`. */
function testClock(): Clock & { pass(ms: number): void; slept: number[] } {
  let now = 0;
  const slept: number[] = [];
  return {
    slept,
    read: () => ({ wall: now, monotonic: now }),
    pass: (ms) => void (now += ms),
    sleep(ms) {
      slept.push(ms);
      now += ms;
      return Promise.resolve();
    },
  };
}

Deno.test("a prefetched token can be sent without waiting", async () => {
  const clock = testClock();
  let fetched = 0;
  const keeper = createTokenKeeper(() => Promise.resolve(`t${++fetched}`), clock);
  keeper.prefetch();
  await Promise.resolve();
  clock.pass(10_000);
  assert.equal(await keeper.get(), "t1");
  assert.deepEqual(clock.slept, []);
});

Deno.test("a failed prefetch is repeated when the visitor submits", async () => {
  const clock = testClock();
  let fetched = 0;
  const keeper = createTokenKeeper(
    () => ++fetched === 1 ? Promise.reject(new TypeError("no network")) : Promise.resolve(`t${fetched}`),
    clock,
  );
  keeper.prefetch();
  // Lets the request fail.
  await new Promise((resolve) => setTimeout(resolve));
  assert.equal(await keeper.get(), "t2");
  assert.deepEqual(clock.slept, [READY_AFTER_MS]);
});

Deno.test("a submission does not repeat a running request that times out", async () => {
  let fetched = 0;
  let giveUp = (_: Error) => {};
  const keeper = createTokenKeeper(() => {
    fetched++;
    return new Promise((_, reject) => giveUp = reject);
  }, testClock());
  keeper.prefetch();
  const token = keeper.get();
  giveUp(new DOMException("", "TimeoutError"));
  await assert.rejects(token, { name: "TimeoutError" });
  assert.equal(fetched, 1);
});

Deno.test("a token that cannot be fetched rejects, and the next attempt fetches again", async () => {
  let works = false;
  const keeper = createTokenKeeper(
    () => works ? Promise.resolve("t") : Promise.reject(new TypeError("no")),
    testClock(),
  );
  await assert.rejects(keeper.get(), TypeError);
  works = true;
  assert.equal(await keeper.get(), "t");
});

Deno.test("a token that expires while a submission waits is replaced", async () => {
  const clock = testClock();
  let fetched = 0;
  const sleep = clock.sleep;
  clock.sleep = (ms) => {
    if (clock.slept.length === 0) clock.pass(3 * HOUR);
    return sleep(ms);
  };
  const keeper = createTokenKeeper(() => Promise.resolve(`t${++fetched}`), clock);
  assert.equal(await keeper.get(), "t2");
});

Deno.test("concurrent requests for a token share one fetch", async () => {
  let fetched = 0;
  const keeper = createTokenKeeper(() => Promise.resolve(`t${++fetched}`), testClock());
  keeper.prefetch();
  keeper.prefetch();
  assert.deepEqual(await Promise.all([keeper.get(), keeper.get()]), ["t1", "t1"]);
});

Deno.test("renew fetches a new token even if the old one is young", async () => {
  let fetched = 0;
  const keeper = createTokenKeeper(() => Promise.resolve(`t${++fetched}`), testClock());
  await keeper.get();
  keeper.renew();
  assert.equal(await keeper.get(), "t2");
});

const MINUTE = 60_000;

/** Returns a keeper, and how often each kind of token was fetched. @param attackAt when challenges come with tokens */
function keeperUnderAttack(attackAt: number) {
  const clock = testClock();
  const fetched = { first: 0, again: 0 };
  const keeper = createTokenKeeper((again) => {
    const count = ++fetched[again ? "again" : "first"];
    const proof = clock.read().wall >= attackAt ? ".proof" : "";
    return Promise.resolve(`${again ? "again" : "first"}${count}.signature${proof}`);
  }, clock);
  return { clock, fetched, keeper };
}

Deno.test("a token that is minutes old is sent without waiting if the server asks for no proof, and one that is younger without asking", async () => {
  const { clock, fetched, keeper } = keeperUnderAttack(Infinity);
  await keeper.get();
  clock.pass(2 * MINUTE - READY_AFTER_MS);
  assert.equal(await keeper.get(), "first1.signature");
  assert.deepEqual(fetched, { first: 1, again: 0 });
  clock.pass(10 * MINUTE);
  assert.equal(await keeper.get(), "first1.signature");
  assert.deepEqual(fetched, { first: 1, again: 1 });
  assert.deepEqual(clock.slept, [READY_AFTER_MS]);
});

Deno.test("a form that was open before an attack sends a new token with a proof, when that is old enough", async () => {
  const { clock, keeper } = keeperUnderAttack(5 * MINUTE);
  keeper.prefetch();
  await new Promise((resolve) => setTimeout(resolve));
  clock.pass(6 * MINUTE);
  assert.equal(await keeper.get(), "again1.signature.proof");
  assert.deepEqual(clock.slept, [READY_AFTER_MS]);
});

Deno.test("a proof is sent once: the next signup of the form has another one", async () => {
  const { keeper } = keeperUnderAttack(0);
  assert.equal(await keeper.get(), "first1.signature.proof");
  assert.equal(await keeper.get(), "first2.signature.proof");
});

Deno.test("a machine that slept for minutes asks too, although the monotonic clock stopped", async () => {
  let now = { wall: 0, monotonic: 0 };
  let asked = 0;
  const keeper = createTokenKeeper((again) => {
    if (again) asked++;
    return Promise.resolve("t");
  }, { read: () => now, sleep: () => Promise.resolve() });
  keeper.prefetch();
  await new Promise((resolve) => setTimeout(resolve));
  now = { wall: 10 * MINUTE, monotonic: 5_000 };
  assert.equal(await keeper.get(), "t");
  assert.equal(asked, 1);
});
