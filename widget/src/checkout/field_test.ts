import assert from "node:assert/strict";
import { isAddress } from "./field.ts";

Deno.test("what is still being typed is no address yet", () => {
  for (
    const text of [
      "",
      "ann",
      "ann@",
      "ann@example",
      "ann@example.",
      "ann@example.c",
      "a nn@example.com",
      "@b.co",
    ]
  ) {
    assert.equal(isAddress(text), false, text);
  }
  for (const text of ["ann@example.com", "a+b@sub.example.co", "ann@bücher.example"]) {
    assert.equal(isAddress(text), true, text);
  }
  assert.equal(isAddress(`${"a".repeat(250)}@b.co`), false);
});
