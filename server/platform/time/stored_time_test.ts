import assert from "node:assert/strict";
import { isFarAhead, plausibleTime } from "./stored_time.ts";

const HOUR = 3_600_000;
const NOW = Date.UTC(2026, 10, 23);

Deno.test("a stored time more than two hours ahead counts as now, any other as stored", () => {
  for (const ahead of [-HOUR, 0, HOUR, 2 * HOUR]) assert.equal(plausibleTime(NOW + ahead, NOW), NOW + ahead);
  for (const ahead of [2 * HOUR + 1, 9_000 * HOUR, Infinity]) {
    assert.equal(plausibleTime(NOW + ahead, NOW), NOW);
  }
});

Deno.test("a time that may be ahead is bounded by its own maximum and two hours", () => {
  assert.equal(isFarAhead(NOW + 8 * HOUR, NOW, 6 * HOUR), false);
  assert.equal(isFarAhead(NOW + 8 * HOUR + 1, NOW, 6 * HOUR), true);
});
