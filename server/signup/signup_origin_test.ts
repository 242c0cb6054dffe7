import assert from "node:assert/strict";
import { AGE_MARGIN_MS, mayResend, type Origin, originOf } from "./signup_origin.ts";

const QUEUED = Date.UTC(2026, 0, 1);
const SECOND = 1000;
const exists = { answer: "exists" as const, unknown: false, queuedAt: QUEUED };

const table: [name: string, evidence: Parameters<typeof originOf>[0], origin: Origin][] = [
  ["accepted", { ...exists, answer: "accepted" }, "this delivery"],
  ["accepted, whatever the age", { ...exists, answer: "accepted", createdAt: 0 }, "this delivery"],
  ["after an attempt of unknown result", { ...exists, unknown: true, createdAt: 0 }, "this delivery"],
  ["created during the attempt", { ...exists, createdAt: QUEUED + SECOND }, "this delivery"],
  ["created with a clock slightly behind", { ...exists, createdAt: QUEUED - 60 * SECOND }, "this delivery"],
  ["created just within the margin", { ...exists, createdAt: QUEUED - AGE_MARGIN_MS + 1 }, "this delivery"],
  ["created before the margin", { ...exists, createdAt: QUEUED - AGE_MARGIN_MS }, "earlier"],
  ["created a month ago", { ...exists, createdAt: QUEUED - 30 * 86_400 * SECOND }, "earlier"],
  ["no age shown", exists, "unclear"],
];
for (const [name, evidence, origin] of table) {
  Deno.test(`whose signup it is: ${name}: ${origin}`, () => assert.equal(originOf(evidence), origin));
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
