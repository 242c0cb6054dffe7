import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import fc from "fast-check";
import { searchNumber } from "./search_number.ts";

const challengeOf = (salt: string, number: number) =>
  createHash("sha256").update(`${salt}${number}`).digest("hex");

Deno.test("the number of a challenge is found, whatever the length of the salt, and wherever it is in the range", () => {
  const salts = fc.integer({ min: 0, max: 200 }).map((length) => "s".repeat(length));
  fc.assert(
    fc.property(
      salts,
      fc.nat({ max: 1e9 }),
      fc.nat({ max: 20 }),
      fc.nat({ max: 20 }),
      (salt, number, a, b) => {
        const challenge = challengeOf(salt, number);
        const from = Math.max(0, number - a);
        assert.equal(searchNumber(salt, challenge, from, number + b), number);
      },
    ),
    { numRuns: 300 },
  );
});

Deno.test("a range without the number has none, and the function needs nothing outside of its source", () => {
  const alone: typeof searchNumber = new Function(`return ${searchNumber}`)();
  const challenge = challengeOf("salt&", 50);
  assert.equal(searchNumber("salt&", challenge, 0, 49), undefined);
  assert.equal(alone("salt&", challenge, 0, 100), 50);
});
