import assert from "node:assert/strict";
import fc from "fast-check";
import { at, readForm, readJson } from "./ajax_body.ts";

const input = (...pairs: [string, string][]) => readForm(pairs).input;

Deno.test("field names are paths with a type prefix", () => {
  assert.deepEqual(
    input(
      ["fields.list", "main"],
      ["n:fields.days", "30"],
      ["n:fields.hours", "soon"],
      ["b:fields.on", "false"],
      ["b:fields.on", "true"],
      ["b:fields.off", "false"],
      ["l:fields.origins", " https://a.example \n\nhttps://b.example\r\n"],
      ["o:fields.heading", " "],
    ),
    {
      fields: {
        list: "main",
        days: 30,
        hours: "soon",
        on: true,
        off: false,
        origins: ["https://a.example", "https://b.example"],
        heading: null,
      },
    },
  );
});

Deno.test("numbered rows become a sorted list, and a list without rows is empty", () => {
  assert.deepEqual(
    input(
      ["a:rows", ""],
      ["rows.10.tag", "last"],
      ["rows.2.tag", "first"],
      ["a:none", ""],
    ),
    { rows: [{ tag: "first" }, { tag: "last" }], none: [] },
  );
});

Deno.test("a row is added at the end, with first values of any type, and removed from the middle", () => {
  const rows: [string, string][] = [["a:rows", ""], ["rows.0.tag", "a"], ["rows.1.tag", "b"], [
    "rows.2.tag",
    "c",
  ]];
  assert.deepEqual(input(...rows, ["_add", "rows"]), {
    rows: [{ tag: "a" }, { tag: "b" }, { tag: "c" }, {}],
  });
  const first = new URLSearchParams({ "n:size": "2", "b:on": "true", "parts.0.tag": "d" });
  assert.deepEqual(input(["a:rows", ""], ["_add", `rows?${first}`]), {
    rows: [{ size: 2, on: true, parts: [{ tag: "d" }] }],
  });
  assert.deepEqual(input(...rows, ["_remove", "rows.1"]), { rows: [{ tag: "a" }, { tag: "c" }] });
});

Deno.test("no field name can change anything outside of the input", () => {
  const step = fc.constantFrom(
    "__proto__",
    "constructor",
    "prototype",
    "toString",
    "0",
    "7",
    "a",
    "b:",
    "n:",
    "",
  );
  const name = fc.array(step, { maxLength: 6 }).map((steps) => steps.join("."));
  fc.assert(fc.property(fc.array(fc.tuple(name, fc.string())), (pairs) => {
    const posted = readForm(pairs);
    assert.equal(Object.getPrototypeOf(posted.input), Object.prototype);
    assert.deepEqual(Object.keys(Object.prototype), []);
    at(posted.input, "a.__proto__.b");
  }));
});

Deno.test("a JSON body contains its action beside its input", () => {
  assert.deepEqual(readJson({ action: "cfbe_x", fields: { a: 1 } }), {
    action: "cfbe_x",
    page: undefined,
    input: { fields: { a: 1 } },
  });
});
