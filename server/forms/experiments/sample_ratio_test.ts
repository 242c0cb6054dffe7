import assert from "node:assert/strict";
import { seededRandom } from "../../../dev/testing/seeded_random.ts";
import { hasWrongRatio } from "./sample_ratio.ts";

const EXPERIMENTS = 1_000;
const LOOKS = 100;

/** Returns in how many experiments a mismatch is reported, with a look after each 50 views. */
function reported(weights: readonly number[], shares: readonly number[]): number {
  const { float } = seededRandom(3);
  let found = 0;
  for (let run = 0; run < EXPERIMENTS; run++) {
    const variants = weights.map((weight) => ({ weight, seen: 0 }));
    for (let look = 0; look < LOOKS; look++) {
      for (let view = 0; view < 50; view++) {
        let at = float();
        variants[shares.findIndex((share) => (at -= share) < 0)]!.seen++;
      }
      if (!hasWrongRatio(variants)) continue;
      found++;
      break;
    }
  }
  return found / EXPERIMENTS;
}

Deno.test("views in the proportion of the weights are reported in at most 1 % of experiments, however often one looks", () => {
  for (const [weights, shares] of [[[1, 1], [0.5, 0.5]], [[1, 3], [0.25, 0.75]]] as const) {
    // Three standard deviations above 1 %.
    assert.ok(reported(weights, shares) <= 0.02);
  }
});

Deno.test("if one variant in five views is not reported, the mismatch is found within 5,000 views", () => {
  assert.equal(reported([1, 1], [0.556, 0.444]), 1);
});

Deno.test("without views, nothing is wrong", () => {
  assert.equal(hasWrongRatio([{ weight: 1, seen: 0 }, { weight: 2, seen: 0 }]), false);
});
