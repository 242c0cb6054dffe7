import assert from "node:assert/strict";
import type { WebhookReading } from "../../port/webhook.ts";
import { klaviyoSignature } from "./testing/double.ts";
import { readKlaviyoWebhook } from "./webhook_events.ts";

const SECRET = "a-system-webhook-secret";
const NOW = Date.UTC(2026, 10, 22, 12);
const TIME = new Date(NOW).toUTCString();
const ADA = "ada@example.com";

interface Given {
  authenticated?: boolean;
  time?: string;
  signature?: string;
  secret?: string;
}

function read(content: unknown, given: Given = {}): WebhookReading {
  const body = typeof content === "string" ? content : JSON.stringify(content);
  const { authenticated = false, time = TIME, secret = SECRET } = given;
  const { signature = klaviyoSignature(body, time, SECRET) } = given;
  const headers = new Headers({ "klaviyo-signature": signature, "klaviyo-timestamp": time });
  return readKlaviyoWebhook({ headers, body: new TextEncoder().encode(body), authenticated }, secret, NOW);
}

const item = (topic: string, properties: unknown, included?: unknown) => ({
  external_id: "e1",
  topic: `event:klaviyo.${topic}`,
  payload: { data: { type: "event", attributes: { event_properties: properties } }, included },
});
const eventsOf = (...data: unknown[]) => {
  const reading = read({ data, meta: {} });
  assert.ok(reading.kind === "read");
  return reading.events;
};

Deno.test("a system webhook's call needs a signature over its body and its time, which is recent", () => {
  const body = { data: [], meta: {} };
  assert.equal(read(body).kind, "read");
  const late = new Date(NOW - 6 * 60_000).toUTCString();
  const cases: Given[] = [
    { signature: "" },
    { signature: klaviyoSignature(JSON.stringify(body), TIME, "another secret") },
    { signature: klaviyoSignature(JSON.stringify(body), late, SECRET) },
    { time: late },
    { time: "" },
    { secret: "" },
    { secret: "", signature: klaviyoSignature(JSON.stringify(body), TIME, "") },
  ];
  for (const given of cases) {
    assert.deepEqual(read(body, given), { kind: "refused", reason: "unauthorized" }, JSON.stringify(given));
  }
});

Deno.test("a flow's call has the site's secret instead of a signature, and makes cfbe read the address", () => {
  const flow = { authenticated: true, signature: "", secret: "" };
  assert.deepEqual(read({ email: " Ada@Example.com " }, flow), {
    kind: "read",
    type: "flow",
    payload: { email: " Ada@Example.com " },
    events: [{ kind: "automation", email: ADA }],
  });
  assert.equal(read({ email: ADA }, { ...flow, authenticated: false }).kind, "refused");
  for (const payload of [{}, { email: "" }, { email: "{{ person.email }}" }, { email: [ADA] }]) {
    assert.deepEqual(read(payload, flow), { kind: "refused", reason: "no_email", type: "flow", payload });
  }
});

Deno.test("each topic about the subscription becomes an event, and each other topic none", () => {
  const properties = { email: ADA };
  const rows: [topic: string, expected: object[]][] = [
    ["subscribed_to_email_marketing", [{ kind: "subscription", email: ADA, change: "active" }]],
    ["subscribed_to_list", [{ kind: "subscription", email: ADA, change: "active" }]],
    ["unsubscribed_from_email_marketing", [{ kind: "subscription", email: ADA, change: "ended" }]],
    ["unsubscribed_from_list", [{ kind: "subscription", email: ADA, change: "ended" }]],
    ["manually_suppressed_from_email_marketing", [{ kind: "subscription", email: ADA, change: "ended" }]],
    ["bounced_email", [{ kind: "mail", email: ADA }]],
    ["marked_email_as_spam", [{ kind: "mail", email: ADA }]],
    ["opened_email", []],
    ["toString", []],
  ];
  for (const [topic, expected] of rows) assert.deepEqual(eventsOf(item(topic, properties)), expected, topic);
});

Deno.test("the address is read from the included profile or the event's properties, and an event without one is left out", () => {
  const profile = { type: "profile", attributes: { email: "ADA@example.com" } };
  const expected = [{ kind: "subscription", email: ADA, change: "active" }];
  const topic = "subscribed_to_list";
  assert.deepEqual(eventsOf(item(topic, {}, [{ type: "metric" }, profile])), expected);
  for (const name of ["email", "Email", "$email"]) {
    assert.deepEqual(eventsOf(item(topic, { [name]: ADA })), expected, name);
  }
  const without = [item(topic, {}), item(topic, null), item(topic, { email: 7 }, "x"), { topic }, null, 7];
  assert.deepEqual(eventsOf(...without, item(topic, { email: ADA })), expected);
});

Deno.test("a body that is not a JSON object is malformed", () => {
  for (const body of ["", "x", "null", "[]", "7", '"a"']) {
    assert.deepEqual(read(body), { kind: "refused", reason: "malformed" }, body);
  }
});
