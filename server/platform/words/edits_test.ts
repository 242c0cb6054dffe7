import assert from "node:assert/strict";
import fc from "fast-check";
import { edits, editsToStart } from "./edits.ts";

Deno.test("a missing, extra, wrong or swapped character is one edit", () => {
  for (const typed of ["gmal", "gmaiil", "gmeil", "gmial"]) assert.equal(edits(typed, "gmail"), 1, typed);
  assert.equal(edits("gmail", "gmail"), 0);
  assert.equal(edits("", "abc"), 3);
  assert.equal(editsToStart("gmial", "gmail.com"), 1);
});

Deno.test("edits are the same in both directions, and at most the length of the longer text", () => {
  const text = fc.string({ unit: fc.constantFrom("a", "b", "c"), maxLength: 6 });
  fc.assert(fc.property(text, text, (one, other) => {
    assert.equal(edits(one, other), edits(other, one));
    assert.ok(edits(one, other) <= Math.max(one.length, other.length));
    assert.equal(
      editsToStart(one, other),
      Math.min(...Array.from({ length: other.length + 1 }, (_, end) => edits(one, other.slice(0, end)))),
    );
  }));
});
