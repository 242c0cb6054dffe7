import assert from "node:assert/strict";
import fc from "fast-check";
import { CONFIRMATION_MAILS_PER_MAILBOX } from "../../../shared/limits.ts";
import { releaseSlot, takeSlot } from "./mail_budget.ts";

const HOUR = 60 * 60 * 1000;
const MINUTE = 60 * 1000;
const { max, spanMs } = CONFIRMATION_MAILS_PER_MAILBOX;

Deno.test("the budget is three emails in 24 hours", () => assert.deepEqual([max, spanMs], [3, 24 * HOUR]));

Deno.test("with three slots taken, the next is free 24 hours after the first", () => {
  const times = [0, HOUR, 2 * HOUR];
  assert.deepEqual(takeSlot(times, undefined, 3 * HOUR), { taken: false, until: 24 * HOUR });
  assert.equal(takeSlot(times, undefined, 24 * HOUR - 1).taken, false);
  assert.deepEqual(takeSlot(times, undefined, 24 * HOUR), {
    taken: true,
    times: [HOUR, 2 * HOUR, 24 * HOUR],
  });
});

Deno.test("while a running attempt may release its slot, the wait is five minutes", () => {
  const times = [0, HOUR, 2 * HOUR];
  const now = 2 * HOUR + MINUTE;
  assert.deepEqual(takeSlot(times, undefined, now), { taken: false, until: 2 * HOUR + 5 * MINUTE });
  assert.deepEqual(takeSlot(times, undefined, 2 * HOUR + 5 * MINUTE), { taken: false, until: 24 * HOUR });
});

Deno.test("a retry replaces the slot of its delivery and takes no second one", () => {
  assert.deepEqual(takeSlot([0, HOUR, 2 * HOUR], HOUR, 3 * HOUR), {
    taken: true,
    times: [0, 2 * HOUR, 3 * HOUR],
  });
});

Deno.test("one slot is released even if two were taken in the same millisecond", () => {
  assert.deepEqual(releaseSlot([5, 5, 9], 5), [5, 9]);
  assert.deepEqual(releaseSlot([5, 9], 7), [5, 9]);
  assert.deepEqual(releaseSlot([5], undefined), [5]);
});

Deno.test("no 24 hours contain a fourth email, whatever is retried and released", () => {
  const step = fc.record({
    afterMs: fc.nat({ max: 8 * HOUR }),
    delivery: fc.nat({ max: 7 }),
    result: fc.constantFrom("mailed", "unknown, mailed", "unknown, nothing", "nothing"),
  });
  let waited = 0;
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      let [times, now]: [number[], number] = [[], 0];
      const held = new Map<number, number>();
      const settled = new Set<number>();
      const mails: number[] = [];
      for (const { afterMs, delivery, result } of steps) {
        now += afterMs;
        if (settled.has(delivery)) continue;
        const slot = takeSlot(times, held.get(delivery), now);
        if (!slot.taken) {
          assert.ok(slot.until > now);
          waited++;
          continue;
        }
        times = slot.times;
        held.set(delivery, now);
        if (result.endsWith("mailed")) mails.push(now), settled.add(delivery);
        if (result === "nothing") times = releaseSlot(times, now), held.delete(delivery);
      }
      for (const start of mails) {
        assert.ok(mails.filter((at) => at >= start && at < start + spanMs).length <= max);
      }
    }),
    { numRuns: 1000 },
  );
  assert.ok(waited > 100, "enough steps have to wait for the property to mean something");
});
