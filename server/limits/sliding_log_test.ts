import assert from "node:assert/strict";
import fc from "fast-check";
import { admit } from "./sliding_log.ts";

const LIMIT = { max: 5, spanMs: 1000 };

function run(times: number[], limit = LIMIT): number[] {
  let log: readonly number[] = [];
  const admitted: number[] = [];
  for (const now of times) {
    const verdict = admit(log, now, limit);
    if (!verdict.admitted) continue;
    admitted.push(now);
    log = verdict.log;
  }
  return admitted;
}

/** The most admissions that any span holds, by brute force over every admission as its start. */
function fullestSpan(admitted: number[], spanMs: number): number {
  return Math.max(
    0,
    ...admitted.map((start) => admitted.filter((t) => t >= start && t < start + spanMs).length),
  );
}

Deno.test("exactly N of many arrivals at one instant are admitted", () => {
  assert.equal(run(Array(200).fill(77)).length, 5);
});

Deno.test("no span ever holds one too many, whatever the arrivals and however the clock jumps", () => {
  const clock = fc.oneof(fc.integer({ min: -3000, max: 6000 }), fc.integer({ min: 0, max: 50 }));
  fc.assert(
    fc.property(fc.array(clock, { maxLength: 120 }), fc.integer({ min: 1, max: 6 }), (times, max) => {
      assert.ok(fullestSpan(run(times, { max, spanMs: 1000 }), 1000) <= max);
    }),
    { numRuns: 2000 },
  );
});

Deno.test("nobody is refused falsely while the clock runs forward", () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 400 }), { maxLength: 80 }), (steps) => {
      let now = 0;
      let log: readonly number[] = [];
      const admitted: number[] = [];
      for (const step of steps) {
        now += step;
        const verdict = admit(log, now, LIMIT);
        const inSpan = admitted.filter((time) => time > now - LIMIT.spanMs).length;
        assert.equal(verdict.admitted, inSpan < LIMIT.max);
        if (verdict.admitted) {
          admitted.push(now);
          log = verdict.log;
        }
      }
    }),
    { numRuns: 1000 },
  );
});

const MINUTE = 60_000;

Deno.test("while the clock is only ever set back, no real span holds one too many, by whatever it was ahead", () => {
  const step = fc.record({
    forward: fc.integer({ min: 0, max: 700 }),
    back: fc.oneof(
      fc.constant(0),
      fc.integer({ min: 0, max: 5_000 }),
      fc.integer({ min: 0, max: 200 * MINUTE }),
    ),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 120 }), fc.integer({ min: 1, max: 6 }), (steps, max) => {
      const limit = { max, spanMs: 1000 };
      let [real, ahead] = [0, 1_000 * MINUTE];
      let log: readonly number[] = [];
      const admitted: number[] = [];
      for (const { forward, back } of steps) {
        real += forward;
        ahead -= back;
        const verdict = admit(log, real + ahead, limit);
        log = verdict.admitted ? verdict.log : verdict.corrected ?? log;
        if (verdict.admitted) admitted.push(real);
      }
      assert.ok(fullestSpan(admitted, limit.spanMs) <= max);
    }),
    { numRuns: 2000 },
  );
});

Deno.test("whatever a clock that was wrong has left in the log, one more fits after a span and two hours", () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: -500 * MINUTE, max: 5_000 * MINUTE }), { maxLength: 5 }),
      (times) => {
        const log = times.toSorted((a, b) => a - b);
        const first = admit(log, 0, LIMIT);
        const kept = first.admitted ? first.log : first.corrected ?? log;
        const wait = LIMIT.spanMs + 120 * MINUTE;
        if (!first.admitted) assert.ok(first.retryAfterMs <= wait);
        assert.equal(admit(kept, wait, LIMIT).admitted, true);
      },
    ),
    { numRuns: 2000 },
  );
});

Deno.test("times far ahead count from when they are first seen, so the limit recovers within its own span", () => {
  const day = 24 * 60 * MINUTE;
  const refused = admit(Array(LIMIT.max).fill(day), 0, LIMIT);
  assert.deepEqual(refused, {
    admitted: false,
    retryAfterMs: LIMIT.spanMs,
    corrected: Array(LIMIT.max).fill(0),
  });
  assert.equal(admit(Array(LIMIT.max).fill(0), LIMIT.spanMs, LIMIT).admitted, true);
});

Deno.test("only times more than two hours ahead are corrected, and the log stays in order", () => {
  const ahead = 120 * MINUTE;
  assert.deepEqual(admit([-500, -400, ahead, ahead + 1, 2 * ahead], 0, LIMIT), {
    admitted: false,
    retryAfterMs: 500,
    corrected: [-500, -400, 0, 0, ahead],
  });
  assert.deepEqual(admit([-500, -400, -300, -200, ahead], 0, LIMIT), { admitted: false, retryAfterMs: 500 });
});

Deno.test("the second after a window turns admits no second helping", () => {
  assert.deepEqual(run([999, 999, 999, 999, 999, 1000, 1001, 1998]), [999, 999, 999, 999, 999]);
  assert.equal(run([999, 999, 999, 999, 999, 1999]).length, 6);
});

Deno.test("a refusal names the wait after which the same arrival is admitted", () => {
  let log: number[] = [];
  for (const now of [0, 100, 200, 300, 400]) {
    const verdict = admit(log, now, LIMIT);
    assert.ok(verdict.admitted);
    log = verdict.log;
  }
  const refused = admit(log, 500, LIMIT);
  assert.deepEqual(refused, { admitted: false, retryAfterMs: 500 });
  assert.equal(admit(log, 999, LIMIT).admitted, false);
  assert.equal(admit(log, 1000, LIMIT).admitted, true);
});

Deno.test("the log never grows beyond its limit", () => {
  fc.assert(fc.property(fc.array(fc.integer()), (times) => {
    let log: readonly number[] = [];
    for (const now of times) {
      const verdict = admit(log, now, LIMIT);
      if (verdict.admitted) log = verdict.log;
      assert.ok(log.length <= LIMIT.max);
    }
  }));
});
