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

/** Returns the largest number of admissions in any span, by trying a span from each admission. */
function fullestSpan(admitted: number[], spanMs: number): number {
  return Math.max(
    0,
    ...admitted.map((start) => admitted.filter((t) => t >= start && t < start + spanMs).length),
  );
}

Deno.test("of many requests at the same instant, exactly N are admitted", () => {
  assert.equal(run(Array(200).fill(77)).length, 5);
});

Deno.test("no span ever exceeds the limit, whatever the requests and however the clock jumps", () => {
  const clock = fc.oneof(fc.integer({ min: -3000, max: 6000 }), fc.integer({ min: 0, max: 50 }));
  fc.assert(
    fc.property(fc.array(clock, { maxLength: 120 }), fc.integer({ min: 1, max: 6 }), (times, max) => {
      assert.ok(fullestSpan(run(times, { max, spanMs: 1000 }), 1000) <= max);
    }),
    { numRuns: 2000 },
  );
});

Deno.test("no request below the limit is rejected while the clock runs forward", () => {
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

Deno.test("while the clock is only set back, no real span exceeds the limit, however far it was ahead", () => {
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

Deno.test("whatever a wrong clock left in the log, a request is admitted after one span and two hours", () => {
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

Deno.test("times far ahead count from when they are first read, so the limit recovers within its own span", () => {
  const day = 24 * 60 * MINUTE;
  const refused = admit(Array(LIMIT.max).fill(day), 0, LIMIT);
  assert.deepEqual(refused, {
    admitted: false,
    at: 0,
    retryAfterMs: LIMIT.spanMs,
    corrected: Array(LIMIT.max).fill(0),
  });
  assert.equal(admit(Array(LIMIT.max).fill(0), LIMIT.spanMs, LIMIT).admitted, true);
});

Deno.test("only times more than two hours ahead are corrected, and the log stays in order", () => {
  const ahead = 120 * MINUTE;
  assert.deepEqual(admit([-500, -400, ahead, ahead + 1, 2 * ahead], 0, LIMIT), {
    admitted: false,
    at: 0,
    retryAfterMs: 500,
    corrected: [-500, -400, 0, 0, ahead],
  });
  assert.deepEqual(admit([-500, -400, -300, -200, ahead], 0, LIMIT), {
    admitted: false,
    at: 0,
    retryAfterMs: 500,
  });
});

Deno.test("just after a window ends, no second quota is admitted", () => {
  assert.deepEqual(run([999, 999, 999, 999, 999, 1000, 1001, 1998]), [999, 999, 999, 999, 999]);
  assert.equal(run([999, 999, 999, 999, 999, 1999]).length, 6);
});

Deno.test("a rejection returns the time after which the same request is admitted", () => {
  let log: number[] = [];
  for (const now of [0, 100, 200, 300, 400]) {
    const verdict = admit(log, now, LIMIT);
    assert.ok(verdict.admitted);
    log = verdict.log;
  }
  const refused = admit(log, 500, LIMIT);
  assert.deepEqual(refused, { admitted: false, at: 500, retryAfterMs: 500 });
  assert.equal(admit(log, 999, LIMIT).admitted, false);
  assert.equal(admit(log, 1000, LIMIT).admitted, true);
});

Deno.test("the log never has more entries than the limit", () => {
  fc.assert(fc.property(fc.array(fc.integer()), (times) => {
    let log: readonly number[] = [];
    for (const now of times) {
      const verdict = admit(log, now, LIMIT);
      if (verdict.admitted) log = verdict.log;
      assert.ok(log.length <= LIMIT.max);
    }
  }));
});
