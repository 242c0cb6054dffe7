import assert from "node:assert/strict";
import { FIGURES, goalOf, isMet } from "./figures.ts";
import { asMarkdown, asText, withMarked } from "./report.ts";
import { percentile } from "./statistics.ts";

const columns = [
  {
    label: "now",
    results: new Map([["accepted.toFixed", 1.6], ["delivered.p50", 12], ["token.toBare", NaN]]),
  },
  { label: "before", results: new Map([["accepted.toFixed", 0.5], ["token.toBare", 0.3]]) },
];

Deno.test("a report has a row per measured figure, in the order of the figures, judged by the first checkout", () => {
  assert.equal(
    asMarkdown(columns),
    `| figure | now | before | goal |  |
| --- | --- | --- | --- | --- |
| accepted ÷ bare commits of the fixed size | 1.60 | 0.50 | ≥ 1.50 | met |
| signup to provider at 500 per second, median | 12 ms | – |  |  |
| form tokens ÷ a bare Hono route | – | 0.30 | ≥ 0.60 |  |`,
  );
  assert.match(asText(columns), /^accepted ÷ bare commits of the fixed size +1\.60 +0\.50 +≥ 1\.50 +met$/m);
});

Deno.test("a goal is met at its limit if the limit belongs to it", () => {
  const judged = (goal: (typeof FIGURES)[string]["goal"]) =>
    [4, 5, 6].map((value) => isMet({ name: "", show: String, ...(goal && { goal }) }, value));
  assert.deepEqual(judged({ atLeast: 5 }), [false, true, true]);
  assert.deepEqual(judged({ above: 5 }), [false, false, true]);
  assert.deepEqual(judged({ atMost: 5 }), [true, true, false]);
  assert.deepEqual(judged({ below: 5 }), [true, false, false]);
  assert.deepEqual(judged(undefined), [undefined, undefined, undefined]);
  assert.equal(goalOf(FIGURES["delivered.p99"]!), "< 1,000 ms");
});

Deno.test("new figures replace the old ones on the page, and nothing else", () => {
  const page = "# Performance\n\n<!-- figures:start -->\n\nold\n\n<!-- figures:end -->\n\nText.\n";
  const written = withMarked(page, "figures", "new $& $1");
  assert.equal(
    written,
    "# Performance\n\n<!-- figures:start -->\n\nnew $& $1\n\n<!-- figures:end -->\n\nText.\n",
  );
  assert.equal(withMarked(written, "figures", "new $& $1"), written);
  assert.throws(() => withMarked("# Performance\n", "figures", "new"), /no markers/);
});

Deno.test("a percentile is one of the values", () => {
  const values = [30, 10, 20, 40];
  assert.deepEqual([0, 0.5, 0.51, 0.99, 1].map((share) => percentile(values, share)), [10, 20, 30, 40, 40]);
  assert.ok(Number.isNaN(percentile([], 0.5)));
});
