import assert from "node:assert/strict";
import { type AddedBy, addedBy, mayResend } from "./added_by.ts";

const exists = { answer: "exists", unknown: false, before: undefined } as const;

const table: [name: string, evidence: Parameters<typeof addedBy>[0], origin: AddedBy][] = [
  ["accepted", { ...exists, answer: "accepted" }, "this delivery"],
  [
    "accepted, though it could not be looked for",
    { ...exists, answer: "accepted", before: "trouble" },
    "this delivery",
  ],
  ["exists after an attempt of unknown result", { ...exists, unknown: true }, "this delivery"],
  ["exists, and was not there a moment before", { ...exists, before: "absent" }, "this delivery"],
  ["exists, and could not be looked for", { ...exists, before: "trouble" }, "unclear"],
];
for (const [name, evidence, origin] of table) {
  Deno.test(`whose signup it is: ${name}: ${origin}`, () => assert.equal(addedBy(evidence), origin));
}

Deno.test("only an address that is surely not this delivery's is mailed again", () => {
  assert.equal(mayResend("earlier", true), true);
  assert.equal(mayResend("this delivery", false), false);
  assert.equal(mayResend("unclear", true), false, "it may be this delivery's own, repeated on the way");
  assert.equal(
    mayResend("unclear", false),
    true,
    "an earlier delivery of the record has reached the provider",
  );
});
