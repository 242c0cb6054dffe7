import assert from "node:assert/strict";
import { ManualClock } from "../testing/manual_clock.ts";
import { withCallBudget } from "./call_budget.ts";
import type { Provider } from "./port.ts";

/** Records when each call is sent. */
function budget() {
  const clock = new ManualClock();
  const start = clock.now();
  const at: number[] = [];
  const lists = () => {
    at.push(clock.now() - start);
    return Promise.resolve({ kind: "lists", lists: [] });
  };
  const { urgent, background } = withCallBudget({ lists } as unknown as Provider, clock);
  return { clock, at, urgent, background };
}

Deno.test("background work makes five calls per second, after a burst of ten", async () => {
  const { clock, at, background } = budget();
  const done = (async () => {
    for (let call = 0; call < 20; call++) await background.lists();
  })();
  for (let step = 0; step < 20; step++) await clock.advance(100);
  await done;
  assert.deepEqual(at.slice(0, 11), [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 200]);
  assert.equal(at.at(-1), 2_000);
});

Deno.test("urgent calls are sent at once, and background work waits for the budget", async () => {
  const { clock, at, urgent, background } = budget();
  for (let call = 0; call < 12; call++) await urgent.lists();
  assert.deepEqual(at, Array(12).fill(0));
  const done = background.lists();
  await clock.advance(500);
  assert.equal(at.length, 12);
  await clock.advance(200);
  await done;
  assert.equal(at.length, 13);
});

Deno.test("during a long rush of urgent calls, a background call waits at most a second", async () => {
  const { clock, at, urgent, background } = budget();
  let found = 0;
  const done = (async () => {
    for (; found < 5; found++) await background.lists();
  })();
  for (let step = 0; step < 60; step++) {
    for (let call = 0; call < 10; call++) await urgent.lists();
    await clock.advance(100);
  }
  await done;
  assert.equal(found, 5);
  assert.ok(at.length > 600);
});
