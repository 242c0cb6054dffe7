import assert from "node:assert/strict";
import fc from "fast-check";
import { changesBetween, storedChanges } from "./changes.ts";

Deno.test("only values that differ are changes, named by their path, with both values as text", () => {
  const before = {
    on: true,
    same: 1,
    hosts: ["a", "b"],
    triggers: { delay: 5 },
    forms: [{ name: "a", layout: "inline" }, { name: "b", layout: "inline" }],
  };
  const after = {
    on: false,
    same: 1,
    hosts: ["a"],
    triggers: { delay: 7 },
    heading: "Hi",
    forms: [{ name: "b", layout: "promo" }],
  };
  assert.deepEqual(changesBetween(before, after), [
    { path: "on", before: "on", after: "off" },
    { path: "hosts", before: "a, b", after: "a" },
    { path: "triggers.delay", before: "5", after: "7" },
    { path: "forms[a].name", before: "a" },
    { path: "forms[a].layout", before: "inline" },
    { path: "forms[b].layout", before: "inline", after: "promo" },
    { path: "heading", after: "Hi" },
  ]);
});

Deno.test("the first and the last element of a list are changes like any other", () => {
  assert.deepEqual(changesBetween({ forms: [] }, { forms: [{ name: "a" }] }), [
    { path: "forms[a].name", after: "a" },
  ]);
  assert.deepEqual(changesBetween({ forms: [{ name: "a" }] }, { forms: [] }), [
    { path: "forms[a].name", before: "a" },
  ]);
  assert.deepEqual(changesBetween({ hosts: [] }, { hosts: ["a"] }), [
    { path: "hosts", before: "", after: "a" },
  ]);
  const twins = [{ tag: "tea", label: "Tea" }, { tag: "tea", label: "Chai" }];
  assert.equal(changesBetween({ twins }, { twins: twins.toReversed() }).length, 1);
});

Deno.test("equal values have no changes, and any change of a value is found", () => {
  const tree = fc.jsonValue();
  fc.assert(fc.property(tree, (value) => {
    assert.deepEqual(changesBetween({ value }, { value: structuredClone(value) }), []);
    assert.equal(changesBetween({ a: { value, x: 1 } }, { a: { value, x: 2 } }).length, 1);
  }));
});

Deno.test("stored changes contain no email address, and fit in a row however long the values are", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme", minLength: 1, maxLength: 500 }), (text) => {
      const many = Array.from({ length: 300 }, (_, index) => ({
        path: `forms[${index}${text}].text`,
        before: `Ask ada+news@example.com, ${text}`,
        after: text.repeat(3),
      }));
      const { changes = [], otherChanges } = storedChanges(many);
      assert.equal(changes.length + otherChanges!, many.length);
      assert.doesNotMatch(JSON.stringify(changes), /ada|news/);
      assert.ok(new TextEncoder().encode(JSON.stringify(changes)).length < 60_000);
    }),
    { numRuns: 20 },
  );
  assert.deepEqual(storedChanges([]), {});
  assert.deepEqual(storedChanges([{ path: "text", after: "Write to ada@example.com." }]), {
    changes: [{ path: "text", after: "Write to …@example.com." }],
  });
});
