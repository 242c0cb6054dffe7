import assert from "node:assert/strict";
import { seededRandom } from "../../../dev/testing/seeded_random.ts";
import { differenceOf, type Proportion } from "./confidence_sequence.ts";
import { ALPHA, decide } from "./decision.ts";
import { type Scenario, simulate } from "./testing/simulation.ts";

/** `deno task simulate:experiments` runs ten times as many. */
const EXPERIMENTS = 1_000;
/**
 * The rate that may be measured where the true one is at most 5 %: in 1,000 experiments, more than 7 % is three standard
 * deviations away. The true rate is about 2 %.
 */
const MEASURED = 0.07;
const LOOKS = 100;

const run = (rates: number[], seed: number, batches = rates.map(() => 200)) => {
  const { float } = seededRandom(seed);
  const scenario: Scenario = { rates, batches, looks: LOOKS };
  return simulate(scenario, EXPERIMENTS, (look) => decide([look]), float);
};

for (
  const [what, rates, batches] of [
    ["two variants at 5 %", [0.05, 0.05]],
    ["two variants at 1 %", [0.01, 0.01]],
    ["four variants", [0.05, 0.05, 0.05, 0.05]],
    ["one visitor in ten sees the other variant", [0.05, 0.05], [360, 40]],
  ] as [string, number[], number[]?][]
) {
  Deno.test(
    `without a difference, at most 5 % of experiments have a winner, however often one looks: ${what}`,
    () => {
      const { falseWinners } = run(rates, 7, batches);
      assert.ok(falseWinners <= MEASURED, `${falseWinners * 100} %`);
    },
  );
}

Deno.test("a variant that doubles the rate from 5 % to 10 % is found, typically with 2,000 visitors", () => {
  const { decided, falseWinners, medianVisitors } = run([0.05, 0.1], 7);
  assert.deepEqual([decided, falseWinners], [1, 0]);
  assert.ok(medianVisitors <= 2_400, String(medianVisitors));
});

const of = (seen: number, successes: number): Proportion => ({ seen, successes });

Deno.test("a verdict remains when later visitors make it less clear", () => {
  const looks = [[of(2_000, 100), of(2_000, 200)], [of(4_000, 300), of(4_000, 310)]];
  assert.equal(decide(looks.slice(1)).winner, undefined);
  assert.equal(decide(looks).winner, 1);
});

Deno.test("of several variants that are better, the best wins, and the first one only if all others are worse", () => {
  const base = of(4_000, 200);
  assert.equal(decide([[base, of(4_000, 350), of(4_000, 400), of(4_000, 100)]]).winner, 2);
  assert.equal(decide([[base, of(4_000, 100), of(4_000, 90)]]).winner, 0);
  assert.equal(decide([[base, of(4_000, 100), of(4_000, 200)]]).winner, undefined);
});

Deno.test("nothing is decided without visitors, or with fewer than 20 successes", () => {
  assert.deepEqual(decide([]), { comparisons: [], winner: undefined });
  const empty = { difference: { estimate: 0, from: -1, to: 1 }, verdict: "open" };
  assert.deepEqual(decide([[of(0, 0), of(0, 0)]]).comparisons, [empty]);
  assert.equal(decide([[of(2_000, 0), of(2_000, 19)]]).winner, undefined);
  assert.equal(decide([[of(2_000, 0), of(2_000, 20)]]).winner, 1);
});

Deno.test("counts that cannot be, such as more successes than visitors, give an interval from -1 to 1", () => {
  const { estimate, from, to } = differenceOf(of(10, 0), of(10, 30), ALPHA);
  assert.ok(estimate === 1 && from >= -1 && to === 1);
});
