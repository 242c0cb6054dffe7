import assert from "node:assert/strict";
import { type AddedBy, addedBy, mayResend } from "./added_by.ts";

const exists = { answer: "exists", unknown: false, before: undefined, readsFirst: false } as const;

const table: [name: string, evidence: Parameters<typeof addedBy>[0], expected: AddedBy][] = [
  ["accepted", { ...exists, answer: "accepted" }, "this delivery"],
  [
    "accepted, and its status could not be read before",
    { ...exists, answer: "accepted", before: "trouble" },
    "this delivery",
  ],
  ["exists after an attempt of unknown result", { ...exists, unknown: true }, "this delivery"],
  ["exists, and was absent before", { ...exists, before: "absent" }, "this delivery"],
  ["exists, and its status could not be read before", { ...exists, before: "trouble" }, "unclear"],
  ["exists, as the adapter read before it changed anything", { ...exists, readsFirst: true }, "earlier"],
];
for (const [name, evidence, expected] of table) {
  Deno.test(`who added the address: ${name}: ${expected}`, () => assert.equal(addedBy(evidence), expected));
}

Deno.test("only an address that this delivery cannot have added is resent its email", () => {
  assert.equal(mayResend("earlier", true), true);
  assert.equal(mayResend("this delivery", false), false);
  assert.equal(
    mayResend("unclear", true),
    false,
    "this delivery may have added it, by a request that a proxy repeated",
  );
  assert.equal(
    mayResend("unclear", false),
    true,
    "an earlier delivery of the record has reached the provider",
  );
});
