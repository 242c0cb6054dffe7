import assert from "node:assert/strict";
import fc from "fast-check";
import { createRecentCounts } from "./recent_counts.ts";

const MINUTE = 60_000;
const ofHour = () => createRecentCounts({ slotMs: MINUTE, slots: 60 });

Deno.test("an event counts for an hour, to the minute, and for its name only", () => {
  fc.assert(fc.property(
    fc.array(fc.record({ after: fc.nat({ max: 10 * MINUTE }), name: fc.constantFrom("a", "b") }), {
      maxLength: 60,
    }),
    (steps) => {
      const counts = ofHour();
      let now = 0;
      const events = steps.map(({ after, name }) => ({ at: now += after, name }));
      for (const { at, name } of events) counts.add(name, at);
      const minuteOf = (at: number) => Math.floor(at / MINUTE);
      const ages = (name: string) =>
        events.filter((event) => event.name === name).map(({ at }) => minuteOf(now) - minuteOf(at));
      const expected = (name: string) => ages(name).filter((age) => age < 60).length;
      assert.equal(counts.count("a", now), expected("a"));
      assert.deepEqual(
        counts.byAge("a", now).map((count, age) => count - ages("a").filter((of) => of === age).length),
        counts.byAge("a", now).map(() => 0),
      );
      assert.equal(counts.most(now), Math.max(expected("a"), expected("b")));
    },
  ));
});

Deno.test("after the clock was set back, events keep their age and are forgotten in time", () => {
  const counts = ofHour();
  counts.add("a", 1_000 * MINUTE);
  counts.add("a", 0);
  assert.equal(counts.count("a", 0), 2);
  assert.equal(counts.count("a", 59 * MINUTE), 2);
  assert.equal(counts.count("a", 60 * MINUTE), 0);
});

Deno.test("200,000 names take the room of 2,000 a minute, and a frequent one is still found", () => {
  const counts = ofHour();
  for (let i = 0; i < 200_000; i++) {
    const now = Math.floor(i / 4_000) * MINUTE;
    counts.add(`n${i}`, now);
    if (i % 4_000 === 0) counts.add("often", now);
  }
  assert.equal(counts.most(49 * MINUTE), 50);
});
