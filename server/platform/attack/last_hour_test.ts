import assert from "node:assert/strict";
import fc from "fast-check";
import { createLastHour } from "./last_hour.ts";

const MINUTE = 60_000;

Deno.test("an event counts for an hour, to the minute, and for its name only", () => {
  fc.assert(fc.property(
    fc.array(fc.record({ after: fc.nat({ max: 10 * MINUTE }), name: fc.constantFrom("a", "b") }), {
      maxLength: 60,
    }),
    (steps) => {
      const counts = createLastHour();
      let now = 0;
      const events = steps.map(({ after, name }) => ({ at: now += after, name }));
      for (const { at, name } of events) counts.add(name, at);
      const minuteOf = (at: number) => Math.floor(at / MINUTE);
      const expected = (name: string, newestLeftOut = 0) =>
        events.filter((event) =>
          event.name === name && minuteOf(now) - minuteOf(event.at) < 60 &&
          minuteOf(now) - minuteOf(event.at) >= newestLeftOut
        ).length;
      assert.equal(counts.count("a", now), expected("a"));
      assert.equal(counts.count("a", now, 2 * MINUTE), expected("a", 2));
      assert.equal(counts.most(now), Math.max(expected("a"), expected("b")));
    },
  ));
});

Deno.test("after the clock was set back, events keep their age and are forgotten in time", () => {
  const counts = createLastHour();
  counts.add("a", 1_000 * MINUTE);
  counts.add("a", 0);
  assert.equal(counts.count("a", 0), 2);
  assert.equal(counts.count("a", 59 * MINUTE), 2);
  assert.equal(counts.count("a", 60 * MINUTE), 0);
});

Deno.test("200,000 names take the room of 2,000 a minute, and a frequent one is still found", () => {
  const counts = createLastHour();
  for (let i = 0; i < 200_000; i++) {
    const now = Math.floor(i / 4_000) * MINUTE;
    counts.add(`n${i}`, now);
    if (i % 4_000 === 0) counts.add("often", now);
  }
  assert.equal(counts.most(49 * MINUTE), 50);
});
