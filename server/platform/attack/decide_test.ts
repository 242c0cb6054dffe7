import assert from "node:assert/strict";
import fc from "fast-check";
import { asksEvery, type Attack, type AttackReason, decide, type Signals } from "./decide.ts";
import { HOUR, MINUTE, THRESHOLDS } from "./testing/simulated.ts";
import { compare, HOUR as WHOLE_HOUR, type Series, type Traffic, type Usual } from "./traffic.ts";

const NOW = 1_000 * MINUTE;
const USUAL: Usual = { signupsPerHour: 12, confirmationRate: 0.6 };
const ASKED = { askedMs: 12_000 };

/** An attack that was last seen so long ago. */
const at = (ageMinutes: number): Attack => ({
  since: NOW - 90 * MINUTE,
  seenAt: NOW - ageMinutes * MINUTE,
  acceptedAt: NOW - ageMinutes * MINUTE,
  reasons: ["network"],
});

/** So many signups and confirmations in each minute, the newest first. */
const series = (accepted: readonly number[], confirmed = 0): Series => ({
  accepted: accepted.length > 24 ? accepted : padded(accepted),
  confirmed: [confirmed],
});
const padded = (counts: readonly number[]) => [...counts, ...Array<number>(60 - counts.length).fill(0)];
const everyMinute = (count: number, minutes = 60) => Array<number>(minutes).fill(count);

function traffic(
  { hour = series(everyMinute(0.2), 7), day = series([]), usual = USUAL, form }: {
    hour?: Series;
    day?: Series;
    usual?: Usual | undefined;
    form?: string;
  },
): Traffic {
  return { hour, day, ...usual && { usual }, ...form !== undefined && { form } };
}

function signals(more: Partial<Signals>): Signals {
  return {
    traffic: [traffic({})],
    refused: 0,
    fromNetwork: 1,
    withToken: 1,
    reusedTokens: 0,
    sameAge: 1,
    ...ASKED,
    ...more,
  };
}
const reasons = (more: Partial<Signals>, before?: Attack, thresholds = THRESHOLDS) =>
  decide(before, signals(more), thresholds, NOW)?.reasons;
const of = (hour: Series, usual: Usual | undefined = USUAL): Partial<Signals> => ({
  traffic: [{ hour, day: series([]), ...usual && { usual } }],
});
const ofNewSite = (hour: Series): Partial<Signals> => ({ traffic: [{ hour, day: series([]) }] });

/**
 * Each reason, with what begins an attack and with what does not quite: 75 signups are 30 a minute for two and a half
 * minutes, of which the newest have had no time to be confirmed.
 */
const RUSH = [0, 30, 30, 15];
const TABLE: { reason: AttackReason; what: string; begins: Partial<Signals>; calm: Partial<Signals>[] }[] = [
  {
    reason: "network",
    what: "81 signups of one network",
    begins: { fromNetwork: 81 },
    calm: [{ fromNetwork: 80 }],
  },
  {
    reason: "confirmations",
    what: "75 signups in three minutes that nobody confirms",
    begins: of(series(RUSH, 1)),
    calm: [
      of(series(RUSH, 2)),
      { ...of(series(RUSH)), askedMs: 170_000 },
      of(series([75])),
      of(series([0, 20, 19]), { ...USUAL, signupsPerHour: 0 }),
      { ...of(series(RUSH)), askedMs: 5_000 },
      { ...of(series(RUSH)), askedMs: 200_000 },
      of(series(RUSH), { signupsPerHour: 900, confirmationRate: 0.6 }),
    ],
  },
  {
    reason: "confirmations",
    what: "81 signups more than usual, of which few are old enough to be confirmed",
    begins: of(series([0, 82])),
    calm: [of(series([0, 80]))],
  },
  {
    reason: "confirmations",
    what: "64 signups more than usual that nobody confirms",
    begins: of(series([0, 40, 25])),
    calm: [of(series([0, 40, 20]))],
  },
  {
    reason: "confirmations",
    what: "without four weeks to compare with, one signup a minute in an hour",
    begins: ofNewSite(series(everyMinute(1))),
    calm: [ofNewSite(series(everyMinute(1), 6)), ofNewSite(series(everyMinute(0.6)))],
  },
  {
    reason: "confirmations",
    what: "five minutes with many signups in a silent hour of a busy site",
    begins: of(series([0, 30, 30, 20, 15]), { ...USUAL, signupsPerHour: 600 }),
    calm: [of(series([0, 30, 30, 20, 9]), { ...USUAL, signupsPerHour: 600 })],
  },
  {
    reason: "confirmations",
    what: "a quarter of an hour with many signups in a silent hour of a busy site",
    begins: of(series([...everyMinute(10, 5), ...everyMinute(19, 10)]), { ...USUAL, signupsPerHour: 600 }),
    calm: [of(series([...everyMinute(10, 5), ...everyMinute(17, 10)]), { ...USUAL, signupsPerHour: 600 })],
  },
  {
    reason: "confirmations",
    what: "half more than usual on a site where nobody confirms",
    begins: of(series(everyMinute(160 / 60)), { ...USUAL, signupsPerHour: 100 }),
    calm: [of(series(everyMinute(145 / 60)), { ...USUAL, signupsPerHour: 100 })],
  },
  {
    reason: "confirmations",
    what: "ten signups a minute of which few are confirmed",
    begins: of(series(everyMinute(10), 20)),
    calm: [of(series(everyMinute(10), 60))],
  },
  {
    reason: "confirmations",
    what: "without four weeks to compare with, 85 signups that nobody confirms",
    begins: ofNewSite(series([5, 30, 30, 20])),
    calm: [ofNewSite(series([0, 30, 30, 15])), ofNewSite(series([5, 30, 30, 20], 2))],
  },
  {
    reason: "confirmations",
    what: "one signup a minute in an hour that nobody confirms",
    begins: of(series(everyMinute(1))),
    calm: [of(series(everyMinute(1), 20)), of(series(everyMinute(0.7)))],
  },
  {
    reason: "confirmations",
    what: "20 signups an hour for a day that nobody confirms",
    begins: {
      traffic: [traffic({
        hour: series(everyMinute(20 / 60)),
        day: { accepted: Array<number>(24).fill(20), confirmed: [0] },
        usual: { signupsPerHour: 1, confirmationRate: 0.6 },
      })],
    },
    calm: [{
      traffic: [traffic({
        hour: series(everyMinute(1 / 60)),
        day: { accepted: [1, ...Array<number>(23).fill(20)], confirmed: [0] },
        usual: { signupsPerHour: 1, confirmationRate: 0.6 },
      })],
    }, {
      traffic: [traffic({
        hour: series(everyMinute(20 / 60), 12),
        day: { accepted: Array<number>(24).fill(20), confirmed: [12] },
        usual: { signupsPerHour: 1, confirmationRate: 0.6 },
      })],
    }],
  },
  {
    reason: "timing",
    what: "signups that were sent equally long after their tokens",
    begins: { ...of(series([0, 30, 25])), sameAge: 48 },
    calm: [
      { ...of(series([0, 30, 25])), sameAge: 30 },
      { ...of(series([0, 30, 25], 4)), sameAge: 48 },
      { ...of(series([35, 18])), sameAge: 53 },
    ],
  },
  {
    reason: "token",
    what: "signups with used tokens",
    begins: { ...of(series([0, 30, 25])), reusedTokens: 48 },
    calm: [{ ...of(series([0, 30, 25])), reusedTokens: 30 }, {
      ...of(series([0, 30, 25], 4)),
      reusedTokens: 48,
    }],
  },
  {
    reason: "token",
    what: "61 signups with one token that hardly anybody confirms",
    begins: { ...of(series([0, 0, 61], 6)), withToken: 61 },
    calm: [
      { ...of(series([0, 0, 61], 6)), withToken: 60 },
      { ...of(series([0, 0, 61], 7)), withToken: 61 },
      { ...of(series([0, 61])), withToken: 61, askedMs: 5_000 },
      { ...of(series([30, 31, 19], 1)), withToken: 61 },
    ],
  },
];

for (const { reason, what, begins, calm } of TABLE) {
  Deno.test(`an attack begins above each threshold: ${what}`, () => {
    assert.ok(reasons(begins)?.includes(reason));
    for (const [i, each] of calm.entries()) {
      assert.ok(!reasons(each)?.includes(reason), `${i}`);
    }
  });
}

Deno.test("ordinary signups, a popular newsletter and a shared token are no attack", () => {
  assert.equal(reasons({}), undefined);
  const popular = of(series(everyMinute(15), 400));
  assert.equal(reasons(popular), undefined);
  assert.equal(
    reasons({ ...popular, withToken: 900, reusedTokens: 900 }),
    undefined,
    "a cache serves one token",
  );
  assert.equal(
    reasons({ ...popular, sameAge: 900 }),
    undefined,
    "the widget waits until a token is old enough",
  );
});

Deno.test("a form that is attacked is noticed by its own usual signups, and named, also on a busy site", () => {
  const busy = traffic({
    hour: series([12, 32, 32, 17, ...everyMinute(12, 56)], 420),
    usual: { signupsPerHour: 720, confirmationRate: 0.6 },
  });
  const quiet = traffic({
    hour: series(RUSH),
    usual: { signupsPerHour: 1, confirmationRate: 0.6 },
    form: "promo",
  });
  assert.equal(reasons({ traffic: [busy] }), undefined);
  const attack = decide(undefined, signals({ traffic: [busy, quiet] }), THRESHOLDS, NOW);
  assert.deepEqual(attack?.reasons, ["confirmations"]);
  assert.deepEqual(attack?.forms, ["promo"]);
  assert.deepEqual(decide(attack, signals({}), THRESHOLDS, NOW + MINUTE)?.forms, ["promo"]);
});

Deno.test("before an attack begins, the provider is asked for confirmations: at first each minute, then every 20 seconds", () => {
  const asked = (more: Partial<Signals>, isRunning = false) =>
    asksEvery(signals(more), THRESHOLDS, isRunning);
  assert.equal(asked({}), undefined);
  assert.equal(asked({ fromNetwork: 500 }), undefined, "one network needs no confirmations");
  assert.equal(asked(of(series([0, 10, 15, 10]))), 60_000);
  assert.equal(asked(of(series(RUSH))), 20_000);
  assert.equal(asked(of(series(RUSH)), true), 60_000);
  assert.equal(asksEvery(signals(of(series(RUSH))), { ...THRESHOLDS, mode: "off" }, false), undefined);
});

Deno.test("an attack goes on above half of a threshold, and ends once no signal has been there for the calm minutes", () => {
  const after = (before: Attack, more: Partial<Signals>) => decide(before, signals(more), THRESHOLDS, NOW);
  assert.deepEqual(after(at(90), { fromNetwork: 41 }), { ...at(90), seenAt: NOW, acceptedAt: NOW });
  assert.deepEqual(after(at(29), { fromNetwork: 40 }), at(29));
  assert.equal(after(at(30), { fromNetwork: 40 }), undefined);
  assert.deepEqual(reasons(of(series([0, 0, 40])), at(5)), ["network", "confirmations"]);
  const { askedMs: _, ...neverAsked } = signals(of(series(RUSH)));
  const busy = { ...USUAL, signupsPerHour: 100 };
  const lasting: [what: string, found: Signals][] = [
    ["without asking the provider", neverAsked],
    ["with a token", signals({ ...of(series([0, 0, 31], 3)), withToken: 31 })],
    ["with a rise beside many usual signups", signals(of(series(everyMinute(130 / 60)), busy))],
    ["with some confirmations", signals(of(series(RUSH, 2)))],
    ["with little evidence", signals(of(series([0, 0, 23])))],
  ];
  for (const [what, found] of lasting) assert.equal(decide(at(5), found, THRESHOLDS, NOW)?.seenAt, NOW, what);
});

Deno.test("signups that are still refused prolong an attack, but not those of a script that does not know challenges", () => {
  const attack: Attack = { ...at(30), since: 0, reasons: ["confirmations"] };
  assert.deepEqual(reasons({ refused: 20 }, attack), ["confirmations"]);
  assert.equal(reasons({ refused: 19 }, attack), undefined);
  const busy = { signupsPerHour: 100, confirmationRate: 0.6 };
  assert.equal(reasons({ refused: 149, ...of(series([])), ...of(series([]), busy) }, attack), undefined);
  assert.deepEqual(reasons({ refused: 50, ...of(series(everyMinute(5 / 3), 60), busy) }, attack), [
    "confirmations",
  ]);
});

Deno.test("refused signups prolong an attack for a day after accepted ones looked like one, and no longer", () => {
  const refused = (hoursAgo: number) =>
    decide({ ...at(5), acceptedAt: NOW - hoursAgo * HOUR }, signals({ refused: 500 }), THRESHOLDS, NOW);
  assert.equal(refused(23.9)?.seenAt, NOW);
  assert.equal(refused(23.9)?.acceptedAt, NOW - 23.9 * HOUR, "they are no sign of their own");
  assert.equal(refused(24)?.seenAt, NOW - 5 * MINUTE, "it ends when it has been calm for so long");
  assert.equal(refused(-24)?.seenAt, NOW - 5 * MINUTE, "also after the clock was set back");
});

Deno.test("an admin can turn it on and off; turned back to automatic, it ends at once unless there is an attack", () => {
  const attack: Attack = { since: 0, seenAt: NOW, acceptedAt: NOW, reasons: ["network"] };
  assert.equal(reasons({ fromNetwork: 999 }, attack, { ...THRESHOLDS, mode: "off" }), undefined);
  const on = decide(undefined, signals({}), { ...THRESHOLDS, mode: "on" }, NOW);
  assert.deepEqual(on, { since: NOW, seenAt: NOW, acceptedAt: NOW, reasons: ["manual"] });
  assert.equal(decide(on, signals({}), THRESHOLDS, NOW + 1), undefined);
  assert.deepEqual(reasons({ fromNetwork: 81 }, on), ["network"]);
  const both = decide(attack, signals({}), { ...THRESHOLDS, mode: "on" }, NOW);
  assert.deepEqual(both?.reasons, ["manual", "network"], "what else it is");
});

const count = fc.nat({ max: 300 });
const anySeries = fc.record({
  accepted: fc.array(count, { maxLength: 60 }),
  confirmed: fc.array(count, { maxLength: 60 }),
});
const anyTraffic: fc.Arbitrary<Traffic> = fc.record({
  hour: anySeries,
  day: anySeries,
  usual: fc.record({
    signupsPerHour: fc.double({ min: 0, max: 500, noNaN: true }),
    confirmationRate: fc.double({ min: 0, max: 1, noNaN: true }),
  }),
}, { requiredKeys: ["hour", "day"] });
const anySignals: fc.Arbitrary<Signals> = fc.record({
  traffic: fc.tuple(anyTraffic, anyTraffic.map((found) => ({ ...found, form: "footer" }))),
  refused: count,
  fromNetwork: count,
  withToken: count,
  reusedTokens: count,
  sameAge: count,
  askedMs: fc.nat({ max: 200_000 }),
}, { requiredKeys: ["traffic", "refused", "fromNetwork", "withToken", "reusedTokens", "sameAge"] });

Deno.test("whatever happened: it does not depend on a clock that was set, and one that was set back cannot make an attack last", () => {
  const before = fc.record({
    since: fc.integer(),
    seenAt: fc.integer(),
    acceptedAt: fc.integer(),
    reasons: fc.constant(["network" as const]),
  });
  fc.assert(
    fc.property(anySignals, fc.option(before, { nil: undefined }), fc.integer(), (found, attack, now) => {
      const next = decide(attack, found, THRESHOLDS, now);
      if (next) assert.ok(next.reasons.length > 0 && (attack ?? next).since === next.since);
      if (next && attack && Math.abs(now - attack.seenAt) >= 30 * MINUTE) assert.equal(next.seenAt, now);
      if (!attack) assert.deepEqual(decide(attack, found, THRESHOLDS, now + 1)?.reasons, next?.reasons);
    }),
  );
});

Deno.test("whatever happened: more confirmations never begin an attack, and without having asked for them only a network does", () => {
  fc.assert(fc.property(anySignals, fc.integer({ min: 1, max: 100 }), (found, more) => {
    const [all, form] = found.traffic as [Traffic, Traffic];
    const add = ({ accepted, confirmed: [first = 0, ...rest] }: Series) => ({
      accepted,
      confirmed: [first + more, ...rest],
    });
    const confirmed = {
      ...found,
      traffic: [{ ...all, hour: add(all.hour), day: add(all.day) }, form],
    } as Signals;
    const begins = decide(undefined, found, THRESHOLDS, NOW);
    if (!begins) assert.equal(decide(undefined, confirmed, THRESHOLDS, NOW), undefined);
    const { askedMs: _, ...unasked } = found;
    const unknown = decide(undefined, unasked, THRESHOLDS, NOW)?.reasons ?? [];
    assert.ok(unknown.every((reason) => reason === "network"));
  }));
});

Deno.test("usual signups are expected to bring no more confirmations than usual, and fewer signups bring no negative ones", () => {
  const steady = { ...USUAL, signupsPerHour: 60 };
  const expected = (accepted: readonly number[]) =>
    compare({ hour: series(accepted), day: series([]), usual: steady }, WHOLE_HOUR, 0).expected;
  assert.equal(expected(everyMinute(1)), 0);
  assert.equal(expected([...everyMinute(0, 15), ...everyMinute(1, 45)]), 0);
});
