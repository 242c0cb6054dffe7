import assert from "node:assert/strict";
import { ManualClock } from "./manual_clock.ts";

Deno.test("sleepers wake in the order of their ends, each at its own time", async () => {
  const clock = new ManualClock(0);
  const woken: string[] = [];
  const sleeper = (name: string, ms: number) =>
    clock.sleep(ms).then(() => woken.push(`${name} ${clock.now()}`));
  const all = [sleeper("c", 300), sleeper("a", 100), sleeper("b", 200)];
  await clock.advance(250);
  assert.deepEqual(woken, ["a 100", "b 200"]);
  assert.equal(clock.now(), 250);
  await clock.advance(50);
  await Promise.all(all);
  assert.deepEqual(woken, ["a 100", "b 200", "c 300"]);
});

Deno.test("a sleeper that sleeps again while time passes wakes again on time", async () => {
  const clock = new ManualClock(0);
  let rounds = 0;
  const end = new AbortController();
  const work = (async () => {
    for (; !end.signal.aborted; rounds++) await clock.sleep(100, end.signal);
  })();
  await clock.advance(1_000);
  assert.equal(rounds, 10);
  end.abort();
  await work;
  assert.equal(clock.sleeping, 0);
});

Deno.test("an abort ends a sleep at once, even before it has started", async () => {
  const clock = new ManualClock(0);
  await clock.sleep(1_000, AbortSignal.abort());
  const end = new AbortController();
  const asleep = clock.sleep(1_000, end.signal);
  end.abort();
  await asleep;
  assert.equal(clock.now(), 0);
});

Deno.test("setting the time of day, backwards or forwards, wakes no sleeper early or late", async () => {
  const clock = new ManualClock(10_000);
  let woken = false;
  const asleep = clock.sleep(1_000).then(() => woken = true);
  clock.set(5_000);
  assert.equal(clock.now(), 5_000);
  await clock.advance(999);
  assert.equal(woken, false);
  await clock.advance(1);
  await asleep;
  assert.equal(clock.now(), 6_000);
});
