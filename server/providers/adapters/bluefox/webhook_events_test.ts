import assert from "node:assert/strict";
import type { ProviderEvent } from "../../port/webhook.ts";
import { readBluefoxWebhook } from "./webhook_events.ts";

const ADA = "ada@example.com";
const call = (payload: unknown, authenticated = true) => ({
  headers: new Headers(),
  body: new TextEncoder().encode(typeof payload === "string" ? payload : JSON.stringify(payload)),
  authenticated,
});
const subscription = (type: string, status: string) => ({
  type,
  subscription: { email: "Ada@EXAMPLE.com", status, subscriberList: { _id: "l1" } },
});
const changed = (change: "active" | "ended" | "other"): ProviderEvent[] => [
  { kind: "subscription", email: ADA, list: "l1", change },
];

const table: [name: string, payload: unknown, events: ProviderEvent[]][] = [
  ["subscribe, active", subscription("subscribe", "active"), changed("active")],
  ["resubscribe, active", subscription("resubscribe", "active"), changed("active")],
  ["subscribe, another status", subscription("subscribe", "paused"), changed("other")],
  ["unsubscribe", subscription("unsubscribe", "unsubscribed"), changed("ended")],
  ["pause-subscription", subscription("pause-subscription", "paused"), changed("ended")],
  ["a subscription without an address", { type: "subscribe", subscription: { status: "active" } }, []],
  ["bounce", { type: "bounce", emailData: { to: ADA } }, [{ kind: "mail", email: ADA }]],
  ["complaint", { type: "complaint", emailData: { to: ADA } }, [{ kind: "mail", email: ADA }]],
  ["bounce without an address", { type: "bounce" }, [{ kind: "mail" }]],
  ["open", { type: "open", emailData: { to: ADA } }, [{ kind: "mail" }]],
  ["a type that is a property of every object", { type: "toString" }, [{ kind: "mail" }]],
  ["an automation", { automationId: "a", contact: { email: ADA } }, [{ kind: "automation", email: ADA }]],
  ["an automation with a type", { type: "step", automationId: "a", contact: { email: ADA } }, [
    { kind: "automation", email: ADA },
  ]],
  ["a bounce of an automation's email", { type: "bounce", automationId: "a", emailData: { to: ADA } }, [
    { kind: "mail", email: ADA },
  ]],
  [
    "a subscription by an automation",
    { ...subscription("subscribe", "active"), automationId: "a", contact: { email: "eve@example.com" } },
    changed("active"),
  ],
  ["neither a type nor an automation", { hello: 1 }, []],
];
for (const [name, payload, events] of table) {
  Deno.test(`${name} is ${events.map(({ kind }) => kind).join() || "no event"}`, () => {
    const read = readBluefoxWebhook(call(payload));
    assert.deepEqual(read.kind === "read" && read.events, events);
    assert.deepEqual(read.kind === "read" && read.payload, payload);
  });
}

Deno.test("a call without credentials, a body that is not a JSON object and an automation without an address are refused", () => {
  const reasonOf = (...given: Parameters<typeof call>) => {
    const read = readBluefoxWebhook(call(...given));
    return read.kind === "refused" ? read.reason : read.kind;
  };
  assert.equal(reasonOf(subscription("subscribe", "active"), false), "unauthorized");
  for (const body of ["", "{", "[]", "1"]) assert.equal(reasonOf(body), "malformed", body);
  for (const contact of [undefined, {}, { email: "ada" }]) {
    assert.equal(reasonOf({ automationId: "a", contact }), "no_email");
  }
});
