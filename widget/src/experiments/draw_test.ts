import assert from "node:assert/strict";
import { drawVariant } from "./draw.ts";

const VARIANTS = [{ id: "a", until: 0.25 }, { id: "b", until: 1 }];
const SESSIONS = 20_000;
/** Seeds like those of the widget: the ID of the experiment, and a random number. */
const seeds = (experiment: string) =>
  Array.from({ length: SESSIONS }, (_, session) => `${experiment}${(session * 0.754877666) % 1}`);
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

Deno.test("experiments whose IDs differ in one character draw independently, within four standard deviations", () => {
  const id = "3f0c9a71be";
  const first = sharesB(id);
  const expected = 0.75 * 0.75;
  const tolerance = 4 * Math.sqrt(expected * (1 - expected) / SESSIONS);
  for (let at = 0; at < id.length; at++) {
    for (const character of "038f") {
      const other = id.slice(0, at) + character + id.slice(at + 1);
      if (other === id) continue;
      const draws = sharesB(other);
      const both = first.filter((isB, session) => isB && draws[session]).length / SESSIONS;
      assert.ok(Math.abs(both - expected) < tolerance, `${other}: ${both}`);
    }
  }
});
