import assert from "node:assert/strict";
import { looksLikeEmail } from "./email_field.ts";

Deno.test("an incomplete address is not reported", () => {
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
    assert.equal(looksLikeEmail(text), false, text);
  }
  for (const text of ["ann@example.com", "a+b@sub.example.co", "ann@bücher.example"]) {
    assert.equal(looksLikeEmail(text), true, text);
  }
  assert.equal(looksLikeEmail(`${"a".repeat(250)}@b.co`), false);
});
