import assert from "node:assert/strict";
import fc from "fast-check";
import { normalizeEmail } from "./email.ts";

Deno.test("an address is trimmed and lowercased, and its domain converted to ASCII", () => {
  const spellings = {
    "Ada@Example.COM": "ada@example.com",
    " ada@example.com\n": "ada@example.com",
    "ada@müller.example": "ada@xn--mller-kva.example",
    "ada@ｅxample.com": "ada@example.com",
    "a.b+c_d-e!#$%&'*/=?^`{|}~@x.example": "a.b+c_d-e!#$%&'*/=?^`{|}~@x.example",
  };
  for (const [spelled, email] of Object.entries(spellings)) assert.equal(normalizeEmail(spelled), email);
});

Deno.test("an address that email cannot reach is invalid", () => {
  const wrong: unknown[] = [
    ...["", "ada", "@example.com", "ada@", "ada@localhost", "ada@1.2.3.4", "ada@[1.2.3.4]", "ada@example.c"],
    ...["a b@example.com", "ada@exa mple.com", "ada@example..com", "ada@-x.example", "äda@example.com"],
    ...[
      "ada@example.com, eve@example.com",
      "Ada <ada@example.com>",
      "ada@example.com\r\nBcc: eve@example.com",
    ],
    ...["a@b@example.com", "ada@example.com\0", "ada@example.com/", "\ud800@example.com", "ada@\ud800.com"],
    ...[`${"a".repeat(65)}@example.com`, `a@${"b.".repeat(124)}example`, "a@" + "b".repeat(64) + ".com"],
    ...[1, null, undefined, true, {}, ["ada@example.com"]],
  ];
  for (const value of wrong) assert.equal(normalizeEmail(value), undefined, Deno.inspect(value));
});

Deno.test("an address has at most 254 characters, and 64 before the @", () => {
  const longest = (more = "") =>
    `${"a".repeat(64)}@${"b".repeat(50)}.${"c".repeat(50)}.${"d".repeat(50)}${more}.example`;
  assert.ok(normalizeEmail(longest(`.${"e".repeat(254 - longest().length - 1)}`)));
  assert.equal(normalizeEmail(longest(`.${"e".repeat(254 - longest().length)}`)), undefined);
  assert.equal(normalizeEmail(`a${longest()}`), undefined);
});

Deno.test("normalizing a normalized address does not change it", () => {
  fc.assert(fc.property(fc.oneof(fc.emailAddress(), fc.string({ unit: "binary" })), (value) => {
    const email = normalizeEmail(value);
    if (email !== undefined) assert.equal(normalizeEmail(email), email);
  }));
});
