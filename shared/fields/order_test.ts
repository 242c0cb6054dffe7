import assert from "node:assert/strict";
import { orderOf } from "./order.ts";

const FIELDS = [{ name: "size" }, { name: "guests" }];

Deno.test("without an order, a form shows email, name, interests and then its fields", () => {
  assert.deepEqual(orderOf([], FIELDS), ["email", "name", "interests", "size", "guests"]);
});

Deno.test("an order moves what it names, adds the rest in its usual order, and ignores what the form does not have", () => {
  assert.deepEqual(orderOf(["guests", "name", "gone", "email", "guests"], FIELDS), [
    "guests",
    "name",
    "email",
    "interests",
    "size",
  ]);
});
