import assert from "node:assert/strict";
import fc from "fast-check";
import { scaleFor } from "./day_chart.tsx";

Deno.test("a scale has round steps, includes its largest number, and wastes less than a step", () => {
  fc.assert(fc.property(fc.integer({ min: 0, max: 10_000_000 }), fc.constantFrom(2, 4), (most, lines) => {
    const { step, max } = scaleFor(most, lines);
    assert.match(String(step), /^[125]0*$/);
    assert.ok(max >= most && max > 0 && (max - most < step || most === 0));
    assert.equal(max % step, 0);
    assert.ok(max / step <= lines + 1);
  }));
});
