import assert from "node:assert/strict";
import { drawVariant } from "./draw.ts";

const VARIANTS = [{ id: "a", until: 0.25 }, { id: "b", until: 1 }];
const SESSIONS = 20_000;
/** Seeds like those of the widget: a random number, and the ID of the experiment. */
const seeds = (experiment: string) =>
  Array.from({ length: SESSIONS }, (_, session) => `${(session * 0.754877666) % 1}${experiment}`);
const sharesB = (experiment: string) =>
  seeds(experiment).map((seed) => drawVariant(seed, VARIANTS).id === "b");

Deno.test("each variant has the share of its range, within four standard deviations", () => {
  const share = sharesB("x1").filter(Boolean).length / SESSIONS;
  assert.ok(Math.abs(share - 0.75) < 4 * Math.sqrt(0.75 * 0.25 / SESSIONS), String(share));
});

Deno.test("the same session has the same variant each time, and another experiment draws independently", () => {
  const [first, again, other] = [sharesB("x1"), sharesB("x1"), sharesB("x2")];
  assert.deepEqual(first, again);
  const both = first.filter((isB, session) => isB && other[session]).length / SESSIONS;
  assert.ok(Math.abs(both - 0.75 * 0.75) < 0.015, String(both));
});
