import assert from "node:assert/strict";
import fc from "fast-check";
import { type Attack, decide, type Signals, type Thresholds } from "./decide.ts";

const MINUTE = 60_000;
const THRESHOLDS: Thresholds = {
  mode: "auto",
  networkSignups: 80,
  tokenSignups: 60,
  signups: 40,
  calmMinutes: 30,
};
const CALM: Signals = {
  signups: 12,
  refused: 0,
  settled: 11,
  confirmed: 7,
  fromNetwork: 1,
  withToken: 1,
  usual: { signupsPerHour: 10, confirmationRate: 0.6 },
};
const NOW = 1_000 * MINUTE;
const reasons = (more: Partial<Signals>, before?: Attack, thresholds = THRESHOLDS) =>
  decide(before, { ...CALM, ...more }, thresholds, NOW)?.reasons;

Deno.test("ordinary signups, a popular newsletter and a shared token are no attack", () => {
  assert.equal(reasons({}), undefined);
  const popular = { signups: 900, settled: 800, confirmed: 400 };
  assert.equal(reasons(popular), undefined);
  assert.equal(reasons({ ...popular, withToken: 900 }), undefined, "a cache serves one token to everybody");
  assert.equal(reasons({ withToken: 60, settled: 60, confirmed: 0 }), undefined);
  assert.equal(reasons({ fromNetwork: 80 }), undefined);
});

Deno.test("an attack begins above each threshold: one network, a rise that nobody confirms, one token that nobody confirms", () => {
  assert.deepEqual(reasons({ fromNetwork: 81 }), ["network"]);
  const rise = { signups: 40, settled: 30, confirmed: 4 };
  assert.deepEqual(reasons(rise), ["confirmations"]);
  assert.equal(
    reasons({ ...rise, confirmed: 5 }),
    undefined,
    "a quarter of the usual rate of 60% is 4.5 of 30",
  );
  assert.equal(reasons({ ...rise, signups: 39 }), undefined);
  assert.equal(reasons({ ...rise, settled: 19, confirmed: 0 }), undefined, "too few can have confirmed yet");
  assert.deepEqual(reasons({ withToken: 61, settled: 61, confirmed: 6 }), ["token"]);
  assert.equal(reasons({ withToken: 61, settled: 61, confirmed: 7 }), undefined);
});

Deno.test("without four weeks to compare with, a low confirmation rate is no attack", () => {
  const { usual: _, ...others } = CALM;
  const signals = { ...others, signups: 500, settled: 400, confirmed: 0 };
  assert.equal(decide(undefined, signals, THRESHOLDS, NOW), undefined);
});

Deno.test("a site with many signups must see three times as many as usual", () => {
  const busy = { usual: { signupsPerHour: 200, confirmationRate: 0.6 }, settled: 300, confirmed: 0 };
  assert.equal(reasons({ ...busy, signups: 599 }), undefined);
  assert.deepEqual(reasons({ ...busy, signups: 600 }), ["confirmations"]);
});

Deno.test("an attack goes on above half of a threshold, and ends once no signal has been there for the calm minutes", () => {
  const at = (ageMinutes: number): Attack => ({
    since: NOW - 90 * MINUTE,
    seenAt: NOW - ageMinutes * MINUTE,
    reasons: ["network"],
  });
  assert.deepEqual(decide(at(90), { ...CALM, fromNetwork: 41 }, THRESHOLDS, NOW), { ...at(90), seenAt: NOW });
  assert.deepEqual(decide(at(29), { ...CALM, fromNetwork: 40 }, THRESHOLDS, NOW), at(29));
  assert.equal(decide(at(30), { ...CALM, fromNetwork: 40 }, THRESHOLDS, NOW), undefined);
  assert.deepEqual(reasons({ signups: 40, settled: 30, confirmed: 0 }, at(5)), ["network", "confirmations"]);
});

Deno.test("signups that are still refused prolong an attack, but as many as usual do not: a script may not know challenges", () => {
  const attack: Attack = { since: 0, seenAt: NOW - 30 * MINUTE, reasons: ["confirmations"] };
  assert.deepEqual(reasons({ refused: 20 }, attack), ["confirmations"]);
  assert.equal(reasons({ refused: 19 }, attack), undefined);
  const busy = { signupsPerHour: 100, confirmationRate: 0.6 };
  assert.equal(reasons({ refused: 149, usual: busy }, attack), undefined);
  assert.deepEqual(reasons({ refused: 150, usual: busy }, attack), ["confirmations"]);
});

Deno.test("an admin can turn it on and off; turned back to automatic, it ends at once unless there is an attack", () => {
  const attack: Attack = { since: 0, seenAt: NOW, reasons: ["network"] };
  assert.equal(reasons({ fromNetwork: 999 }, attack, { ...THRESHOLDS, mode: "off" }), undefined);
  const on = decide(undefined, CALM, { ...THRESHOLDS, mode: "on" }, NOW);
  assert.deepEqual(on, { since: NOW, seenAt: NOW, reasons: ["manual"] });
  assert.equal(decide(on, CALM, THRESHOLDS, NOW + 1), undefined);
  assert.deepEqual(reasons({ fromNetwork: 81 }, on), ["network"]);
});

Deno.test("whatever happened: it does not depend on a clock that was set, and one that was set back cannot make an attack last", () => {
  const count = fc.nat({ max: 10_000 });
  const signals = fc.record({
    signups: count,
    refused: count,
    settled: count,
    confirmed: count,
    fromNetwork: count,
    withToken: count,
  });
  const before = fc.record({
    since: fc.integer(),
    seenAt: fc.integer(),
    reasons: fc.constant(["network" as const]),
  });
  fc.assert(
    fc.property(signals, fc.option(before, { nil: undefined }), fc.integer(), (found, attack, now) => {
      const next = decide(attack, found, THRESHOLDS, now);
      if (next) assert.ok(next.reasons.length > 0 && (attack ?? next).since === next.since);
      if (next && attack && Math.abs(now - attack.seenAt) >= 30 * MINUTE) assert.equal(next.seenAt, now);
      if (!attack) assert.deepEqual(decide(attack, found, THRESHOLDS, now + 1)?.reasons, next?.reasons);
    }),
  );
});
