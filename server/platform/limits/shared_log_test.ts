import assert from "node:assert/strict";
import fc from "fast-check";
import { type Admissions, admitShared, UNKNOWN } from "./shared_log.ts";

const LIMIT = { max: 30, spanMs: 60_000 };
const MOST = 45;

interface Visitor {
  at: number;
  from: string;
}

/** Returns the visitors who are admitted. */
function admitted(visitors: readonly Visitor[], limit = LIMIT, log: Admissions = { times: [] }): Visitor[] {
  return visitors.filter(({ at, from }) => {
    const verdict = admitShared(log, at, limit, from);
    if (verdict.admitted) log = verdict.log;
    return verdict.admitted;
  });
}

const several = (count: number, from: string | ((n: number) => string), at = 0): Visitor[] =>
  Array.from({ length: count }, (_, n) => ({ at: at + n, from: typeof from === "string" ? from : from(n) }));
/** Four characters: a larger network, then a home in it. */
const network = fc.constantFrom("AAAA", "AAAB", "AAAC", "BBBB", "CCCC", "DDDD", "EEEE", "FFFF");
const visits = fc.array(fc.record({ after: fc.integer({ min: 0, max: 4_000 }), from: network }), {
  maxLength: 150,
}).map((steps) => {
  let at = 0;
  return steps.map(({ after, from }) => ({ at: at += after, from }));
});

/** Returns the fullest span before each visitor, from the admissions that they find. */
function recent(before: readonly Visitor[], now: number): Visitor[] {
  return before.filter(({ at }) => at > now - LIMIT.spanMs);
}

Deno.test("a network that has filled the limit is refused, and others are admitted up to half of it more", () => {
  const attack = several(40, "AAAA");
  assert.equal(admitted(attack).length, 30);
  const others = several(20, (n) => `B${n % 5}BB`, 1_000);
  assert.deepEqual(admitted([...attack, ...others]).length, MOST);
  assert.ok(admitted([...attack, ...several(1, "AAAA", 1_000)]).every(({ at }) => at < 30));
});

Deno.test("of homes in one larger network, one that has filled the limit leaves a quarter of it to the others", () => {
  const attack = several(30, "AAAA");
  assert.equal(admitted([...attack, ...several(20, "AAAB", 1_000)]).length, 37);
});

Deno.test("somebody who has a whole larger network can't use up what is left to the others", () => {
  const homes = Array.from(
    { length: 50 },
    (_, n) => several(30, `AA${String.fromCharCode(65 + n)}A`, 100 * n),
  ).flat();
  assert.equal(admitted(homes).length, 37);
  assert.equal(admitted([...homes, ...several(20, "BBBB", 9_000)]).length, MOST);
});

Deno.test("as long as no network holds more than half of the limit, it is exact", () => {
  assert.equal(admitted(several(60, (n) => ["AAAA", "BBBB"][n % 2]!)).length, 30);
  assert.equal(admitted(several(60, (n) => `${n}`.padStart(4, "0"))).length, 30);
  fc.assert(
    fc.property(visits, (visitors) => {
      const found: Visitor[] = [];
      let log: Admissions = { times: [] };
      for (const visitor of visitors) {
        const before = recent(found, visitor.at);
        const verdict = admitShared(log, visitor.at, LIMIT, visitor.from);
        const counts = Object.values(Object.groupBy(before, ({ from }) => from.slice(0, 2))).map((group) =>
          group!.length
        );
        if (counts.every((count) => count <= LIMIT.max / 2)) {
          assert.equal(verdict.admitted, before.length < LIMIT.max);
        }
        // Nobody is refused who would be admitted without other networks' excess, and there is an end to it.
        if (before.length < LIMIT.max) assert.ok(verdict.admitted);
        if (before.length >= MOST) assert.ok(!verdict.admitted);
        if (verdict.admitted) {
          found.push(visitor);
          log = verdict.log;
        }
        assert.equal(
          verdict.admitted && verdict.beyond === true,
          verdict.admitted && before.length >= LIMIT.max,
        );
      }
    }),
    { numRuns: 500 },
  );
});

Deno.test("Retry-After ends when the same visitor is admitted, and not a millisecond earlier", () => {
  fc.assert(
    fc.property(visits, network, (visitors, from) => {
      let log: Admissions = { times: [] };
      for (const visitor of visitors) {
        const verdict = admitShared(log, visitor.at, LIMIT, visitor.from);
        if (verdict.admitted) log = verdict.log;
      }
      const now = visitors.at(-1)?.at ?? 0;
      const verdict = admitShared(log, now, LIMIT, from);
      if (verdict.admitted) return;
      const { retryAfterMs } = verdict;
      assert.ok(retryAfterMs > 0 && retryAfterMs <= LIMIT.spanMs);
      assert.equal(admitShared(log, now + retryAfterMs - 1, LIMIT, from).admitted, false);
      assert.equal(admitShared(log, now + retryAfterMs, LIMIT, from).admitted, true);
    }),
    { numRuns: 500 },
  );
});

Deno.test("admissions of an earlier version, whose networks are unknown, count in full for everybody", () => {
  const log = { times: Array.from({ length: 30 }, (_, at) => at) };
  assert.equal(admitShared(log, 1_000, LIMIT, "AAAA").admitted, false);
  const [later] = admitted([{ at: 60_000, from: "AAAA" }], LIMIT, log);
  assert.ok(later);
  const verdict = admitShared({ ...log, times: log.times.slice(1) }, 1_000, LIMIT, "AAAA");
  assert.ok(verdict.admitted);
  assert.deepEqual(verdict.log.networks, [...Array(29).fill(UNKNOWN), "AAAA"]);
});

Deno.test("times of a clock that was far ahead are corrected with their networks", () => {
  const ahead = 3 * 60 * 60 * 1000;
  const times = Array.from({ length: 30 }, (_, n) => ahead + n);
  const networks = times.map((_, n) => n < 20 ? "AAAA" : "BBBB");
  const refused = admitShared({ times, networks }, 0, LIMIT, "AAAA");
  assert.ok(!refused.admitted && refused.corrected);
  assert.deepEqual(refused.corrected, { times: Array(30).fill(0), networks });
  assert.equal(admitShared(refused.corrected, 1, LIMIT, "CCCC").admitted, true);
});
