import assert from "node:assert/strict";
import type { WebhookReading } from "../../port/webhook.ts";
import { mailerliteSignature } from "./testing/double.ts";
import { readMailerliteWebhook } from "./webhook_events.ts";

const SECRET = "HigkdhMVbp-of-a-test";
const ADA = "ada@example.com";
const encode = (text: string) => new TextEncoder().encode(text);

function read(payload: unknown): WebhookReading {
  const body = typeof payload === "string" ? payload : JSON.stringify(payload);
  const headers = new Headers({ Signature: mailerliteSignature(body, SECRET) });
  return readMailerliteWebhook({ headers, body: encode(body), authenticated: false }, SECRET);
}

function eventsOf(payload: unknown) {
  const reading = read(payload);
  assert.ok(reading.kind === "read");
  return reading.events;
}

const flat = (event: string, status = "active") => ({
  id: "100000000000000000",
  email: "Ada@Example.com",
  status,
  event,
  account_id: 0,
});
const nested = (type: string) => ({
  type,
  subscriber: { id: "1", email: ADA, status: "active" },
  group: { id: "7", name: "Newsletter" },
  account_id: 0,
});

Deno.test("a call without a signature, with a wrong one or for an unknown secret is refused, unless it has a key", () => {
  const body = JSON.stringify(flat("subscriber.updated"));
  const signature = mailerliteSignature(body, SECRET);
  const call = (given: string | undefined, { text = body, secret = SECRET, authenticated = false } = {}) => {
    const headers = new Headers(given === undefined ? {} : { Signature: given });
    return readMailerliteWebhook({ headers, body: encode(text), authenticated }, secret).kind;
  };
  assert.equal(call(signature), "read");
  assert.equal(call(undefined, { authenticated: true }), "read");
  for (const wrong of [undefined, "", "x", signature.slice(1), mailerliteSignature(body, "another")]) {
    assert.equal(call(wrong), "refused", wrong);
  }
  assert.equal(call(signature, { text: `${body} ` }), "refused");
  assert.equal(call(mailerliteSignature(body, ""), { secret: "" }), "refused");
});

Deno.test("every documented event about a person is read, with the address normalized", () => {
  const about = { kind: "subscription", email: ADA };
  assert.deepEqual(eventsOf(flat("subscriber.updated")), [{ ...about, change: "active" }]);
  assert.deepEqual(eventsOf(flat("subscriber.active")), [{ ...about, change: "active" }]);
  assert.deepEqual(eventsOf(flat("subscriber.created", "unconfirmed")), [{ ...about, change: "other" }]);
  assert.deepEqual(eventsOf(flat("subscriber.unsubscribed")), [{ ...about, change: "ended" }]);
  assert.deepEqual(eventsOf(flat("subscriber.bounced")), [{ kind: "mail", email: ADA }]);
  assert.deepEqual(eventsOf(flat("subscriber.spam_reported")), [{ kind: "mail", email: ADA }]);
  const joined = [{ ...about, list: "7", change: "active" }];
  assert.deepEqual(eventsOf(nested("subscriber.added_to_group")), joined);
  const removed = [{ ...about, list: "7", change: "ended" }];
  assert.deepEqual(eventsOf(nested("subscriber.removed_from_group")), removed);
});

Deno.test("a batch is read event by event, without those that cannot be read", () => {
  const events = [flat("subscriber.deleted"), 7, null, flat("subscriber.bounced"), {
    event: "subscriber.updated",
  }];
  const reading = read({ events, total: events.length });
  assert.ok(reading.kind === "read");
  assert.equal(reading.type, "subscriber.deleted");
  assert.deepEqual(reading.events, [
    { kind: "subscription", email: ADA, change: "ended" },
    { kind: "mail", email: ADA },
  ]);
});

Deno.test("an event that cfbe does not need, or without an address, is accepted without effect, so that it is not repeated", () => {
  for (
    const payload of [{ event: "campaign.sent", id: "1" }, { event: "subscriber.updated" }, {}, nested("x")]
  ) {
    assert.deepEqual(eventsOf(payload), [], JSON.stringify(payload));
  }
});

Deno.test("a body that is not a JSON object is malformed", () => {
  for (const body of ["", "[]", "7", "{", '"x"']) {
    assert.deepEqual(read(body), { kind: "refused", reason: "malformed" }, body);
  }
});
