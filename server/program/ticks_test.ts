import assert from "node:assert/strict";
import { ManualClock } from "../../dev/testing/manual_clock.ts";
import { createTicks } from "./ticks.ts";

const MINUTE = 60_000;

Deno.test("a program keeps ticking although its cron has stopped because the clock was set back", async () => {
  const clock = new ManualClock();
  const stop = new AbortController();
  let ticks = 0;
  const { tick, keepUp } = createTicks({ clock, tick: () => Promise.resolve(void ticks++) });
  const keeping = keepUp(stop.signal);
  for (let minute = 0; minute < 10; minute++) {
    await clock.advance(MINUTE);
    await tick();
  }
  assert.equal(ticks, 10, "no tick beside the cron's");
  clock.set(clock.now() - 365 * 24 * 60 * MINUTE);
  for (let n = 0; n < 62; n++) await clock.advance(80_000);
  assert.ok(ticks >= 70, `${ticks - 10} ticks in 62 times 80 s`);
  stop.abort();
  await keeping;
});
