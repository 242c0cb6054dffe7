import assert from "node:assert/strict";
import { seededRandom } from "../../../dev/testing/seeded_random.ts";
import { compare, type Proportion } from "./confidence_sequence.ts";
import { ALPHA, decide } from "./decision.ts";
import { timesToDecision } from "./forecast.ts";
import { simulate, simulateLift } from "./testing/simulation.ts";

/** `deno task simulate:experiments` runs ten times as many. */
const EXPERIMENTS = 1_000;
/**
 * The rate that may be measured where the true one is at most 5 %: in 1,000 experiments, more than 7 % is three standard
 * deviations away. The true rate is about 3 %.
 */
const MEASURED = 0.07;
const LOOKS = 100;

for (
  const [what, rates, batches] of [
    ["two variants at 5 %", [0.05, 0.05]],
    ["two variants at 1 %", [0.01, 0.01]],
    ["two variants at 39 %, from the first visitors on", [0.39, 0.39], [5, 5]],
    ["four variants", [0.05, 0.05, 0.05, 0.05]],
    ["one visitor in ten sees the other variant", [0.05, 0.05], [360, 40]],
  ] as [string, number[], number[]?][]
) {
  Deno.test(
    `without a difference, at most 5 % of experiments have a winner, however often one looks: ${what}`,
    () => {
      const scenario = { rates, batches: batches ?? rates.map(() => 200), looks: LOOKS };
      const { falseWinners } = simulate(scenario, EXPERIMENTS, seededRandom(7).float);
      assert.ok(falseWinners <= MEASURED, `${falseWinners * 100} %`);
    },
  );
}

/** Enough for a median that is within 5 % of the true one. */
const LIFTS = 400;

for (const rates of [[0.02, 0.03], [0.05, 0.06], [0.05, 0.1], [0.13, 0.39]] as [number, number][]) {
  const lift = rates.map((rate) => `${rate * 100} %`).join(" to ");
  Deno.test(`a rise from ${lift} takes at most twice the visitors of a test of a fixed size, and is forecast`, () => {
    const { decided, falseWinners, medianVisitors, fixed } = simulateLift(
      rates,
      LIFTS,
      seededRandom(3).float,
    );
    assert.deepEqual([decided, falseWinners], [1, 0]);
    assert.ok(medianVisitors <= 2 * fixed, `${medianVisitors} of ${fixed}`);
    const look = rates.map((rate) => ({ weight: 1, seen: 100, successes: 100 * rate }));
    const forecast = 200 * timesToDecision(look);
    assert.ok(forecast > 0.8 * medianVisitors && forecast < 1.5 * medianVisitors, `${forecast} visitors`);
  });
}

const of = (seen: number, successes: number): Proportion => ({ weight: 1, seen, successes });

Deno.test("a verdict remains when later visitors make it less clear", () => {
  const looks = [[of(2_000, 100), of(2_000, 200)], [of(4_000, 300), of(4_000, 310)]];
  assert.equal(decide(looks.slice(1)).winner, undefined);
  const { comparisons: [compared], winner } = decide(looks);
  assert.equal(winner, 1);
  assert.deepEqual([compared!.difference.from, compared!.ratio.from], [0, 1]);
});

Deno.test("of several variants that are better, the best wins, and the first one only if all others are worse", () => {
  const base = of(4_000, 200);
  assert.equal(decide([[base, of(4_000, 350), of(4_000, 400), of(4_000, 100)]]).winner, 2);
  assert.equal(decide([[base, of(4_000, 100), of(4_000, 90)]]).winner, 0);
  assert.equal(decide([[base, of(4_000, 100), of(4_000, 200)]]).winner, undefined);
});

Deno.test("nothing is decided without visitors, without successes, or with a handful", () => {
  assert.deepEqual(decide([]), { comparisons: [], winner: undefined });
  const empty = {
    difference: { estimate: 0, from: -1, to: 1 },
    ratio: { estimate: 1, from: 0, to: Infinity },
    verdict: "open",
  };
  assert.deepEqual(decide([[of(0, 0), of(0, 0)]]).comparisons, [empty]);
  assert.equal(decide([[of(2_000, 0), of(2_000, 6)]]).winner, undefined);
  assert.equal(decide([[of(2_000, 0), of(2_000, 20)]]).winner, 1);
});

Deno.test("counts that cannot be, such as more successes than visitors, give an interval within -1 and 1", () => {
  const { estimate, from, to } = compare(of(10, 0), of(10, 30), ALPHA).difference;
  assert.ok(from >= -1 && from <= estimate && estimate <= to && to <= 1);
});

Deno.test("a small shop with 20 of 151 against 60 of 153 confirmed has a result", () => {
  const { comparisons: [compared], winner } = decide([[of(151, 20), of(153, 60)]]);
  assert.equal(winner, 1);
  const { difference, ratio } = compared!;
  assert.ok(difference.from > 0.08 && difference.to < 0.46, `${difference.from} to ${difference.to}`);
  assert.ok(ratio.from > 1.3 && ratio.to < 8, `${ratio.from} to ${ratio.to}`);
});

Deno.test("the ranges of the difference and of the ratio exclude no difference at the same counts, in both directions", () => {
  const { float } = seededRandom(5);
  const signs = new Set<number>();
  for (let run = 0; run < 200; run++) {
    const [base, other] = [0, 0].map(() => of(500, Math.floor(float() * 60)));
    const { difference, ratio } = compare(base!, other!, ALPHA);
    const [sign, same] = ([[difference, 0], [ratio, 1]] as const).map(([{ from, to }, none]) =>
      Number(from > none) - Number(to < none)
    );
    assert.equal(sign, same);
    signs.add(sign!);
    assert.ok(Math.abs(compare(other!, base!, ALPHA).difference.to + difference.from) < 1e-9);
  }
  assert.deepEqual(signs, new Set([-1, 0, 1]));
});
