/** Attack mode over hours and days of simulated visitors and bots. */
import assert from "node:assert/strict";
import { bots, drawsOf, honest, HOUR, merged, MINUTE, simulate } from "./testing/simulated.ts";
import type { Usual } from "./traffic.ts";

const ofStrangers = (n: number) => `${11 + n % 80}.${Math.floor(n / 80) % 256}.${Math.floor(n / 20_480)}.9`;
const sites: { what: string; usual?: Usual; rate: number; perHour: number }[] = [
  { what: "a new site", rate: 0.6, perHour: 0.2 },
  ...[1, 20].map((perHour) => ({
    what: `a site with ${perHour} signups an hour`,
    usual: { signupsPerHour: perHour, confirmationRate: 0.6 },
    rate: 0.6,
    perHour,
  })),
];

for (const { what, usual, rate, perHour } of sites) {
  const days = { ...usual && { all: usual }, forms: new Map<string, Usual>() };

  Deno.test(`at most 100 signups of bots in as many networks are accepted before it begins, at any speed: ${what}`, async () => {
    for (const speed of [1_800, 600, 60]) {
      const draw = drawsOf(speed);
      const arrivals = merged(
        honest(draw, { perHour: () => perHour, mostPerHour: perHour, rate, untilMs: 6 * HOUR }),
        bots({
          from: 4 * HOUR,
          count: 300,
          perHour: speed,
          ipOf: ofStrangers,
          tokenAgeOf: () => 20_000 + draw.below(60_000),
        }),
      );
      const { attacks, bots: found } = await simulate(arrivals, { usual: days });
      assert.equal(attacks.length, 1, `${speed} an hour`);
      assert.ok(found.acceptedBefore <= 100, `${found.acceptedBefore} at ${speed} an hour`);
      assert.ok(attacks[0]!.ended! - attacks[0]!.began > 30 * MINUTE);
    }
  });

  Deno.test(`a campaign of honest visitors begins none, even if confirmations are only found when they are asked for: ${what}`, async () => {
    for (const reportsAfterMs of [0, 15 * MINUTE]) {
      const draw = drawsOf(17);
      const from = 8 * HOUR;
      const campaign = (at: number) => at < from ? 0 : 1_200 * 2 ** (-(at - from) / (40 * MINUTE));
      const arrivals = merged(
        honest(draw, { perHour: () => perHour, mostPerHour: perHour, rate, untilMs: 20 * HOUR }),
        honest(draw, { perHour: campaign, mostPerHour: 1_200, rate: rate * 0.9, untilMs: 16 * HOUR }),
      );
      assert.deepEqual((await simulate(arrivals, { usual: days, reportsAfterMs })).attacks, []);
    }
  });
}

/** From one address, by far fewer than begin an attack. */
const REFUSED_SCRIPT = { from: HOUR, count: 7 * 24 * 21, perHour: 21, ipOf: () => "9.9.9.9" };
const ofHome = (n: number) => `2a02:8109:9a40:17${(n % 256).toString(16).padStart(2, "0")}::${n}`;

Deno.test("a week of bots that are refused keeps neither attack mode on nor a confirmation email waiting: both end by themselves", async () => {
  const draw = drawsOf(5);
  const arrivals = merged(
    bots({ from: 0, count: 90, perHour: 1_800, ipOf: ofHome }),
    bots({ ...REFUSED_SCRIPT, from: 0.05 * HOUR }),
    honest(draw, { perHour: () => 20, mostPerHour: 20, rate: 0.6, untilMs: 7 * 24 * HOUR }),
  );
  const usual = { all: { signupsPerHour: 20, confirmationRate: 0.6 }, forms: new Map() };
  const { attacks, heldMs } = await simulate(arrivals, { usual, holds: true });
  for (const { began, ended } of attacks) {
    assert.ok(ended! - began < 50 * HOUR, `${(ended! - began) / HOUR} hours`);
  }
  assert.ok(heldMs < 6 * HOUR, `${heldMs / HOUR} hours`);
});

Deno.test("a rush of visitors whose emails are held, so that nobody confirms, waits for a day at most", async () => {
  const draw = drawsOf(6);
  const arrivals = merged(
    bots({ from: 0, count: 90, perHour: 1_800, ipOf: ofHome }),
    honest(draw, { perHour: () => 100, mostPerHour: 100, rate: 0.6, untilMs: 3 * 24 * HOUR }),
  );
  const usual = { all: { signupsPerHour: 20, confirmationRate: 0.6 }, forms: new Map() };
  const { attacks, heldMs } = await simulate(arrivals, { usual, holds: true });
  assert.ok(heldMs <= 24 * HOUR + MINUTE, `${heldMs / HOUR} hours`);
  assert.equal(attacks.length, 1);
  assert.ok(attacks[0]!.ended! < 48 * HOUR, `${attacks[0]!.ended! / HOUR}`);
});
