import assert from "node:assert/strict";
import { addValues, omittedValues, storedValues } from "./moved_values.ts";

Deno.test("the counts of a move name the field where the reason is about it, and not otherwise", () => {
  const properties = { size: "l", guests: 2, color: "red" };
  const first = storedValues(properties, { guests: "type", color: "refused" });
  const sum = addValues(addValues(first, first), omittedValues(properties, "active"));
  assert.deepEqual(sum, {
    stored: 2,
    omitted: {
      "The field guests has another type at the new provider.": 2,
      "The new provider cannot have the field color.": 2,
      "The person was active at the new provider before.": 3,
    },
  });
});

Deno.test("the row of a move stays small, however many fields there are, and counts every value", () => {
  let sum = { stored: 0, omitted: {} as Record<string, number> };
  for (let n = 0; n < 1_000; n++) {
    sum = addValues(
      sum,
      storedValues({ [`field-${n}-${"x".repeat(50)}`]: "x" }, {
        [`field-${n}-${"x".repeat(50)}`]: "refused",
      }),
    );
  }
  assert.equal(Object.values(sum.omitted).reduce((total, count) => total + count, 0), 1_000);
  assert.ok(JSON.stringify(sum).length < 20_000);
});
