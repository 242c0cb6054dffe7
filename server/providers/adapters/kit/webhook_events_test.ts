import assert from "node:assert/strict";
import type { WebhookReading } from "../../port/webhook.ts";
import { kitSignature } from "./testing/double.ts";
import { readKitWebhook } from "./webhook_events.ts";

const SECRET = "whsec_of-a-test";
const ADA = "ada@example.com";
const NOW = Date.UTC(2026, 10, 22);
const SECONDS = NOW / 1000;
const encode = (text: string) => new TextEncoder().encode(text);

function read(payload: unknown): WebhookReading {
  const body = typeof payload === "string" ? payload : JSON.stringify(payload);
  const headers = new Headers({ "X-Kit-Signature": kitSignature(body, [SECRET], SECONDS) });
  return readKitWebhook({ headers, body: encode(body), authenticated: false }, { secret: SECRET, now: NOW });
}

const event = (type: string, email: unknown = "Ada@Example.com") => ({
  id: "9c2e1f3a-6b7d-4e8f-a1b2-c3d4e5f60718",
  type,
  created: "2026-07-29T14:32:10Z",
  data: { subscriber: { id: 987654, first_name: "Ada", email_address: email, state: "active", fields: {} } },
});
const delivery = (...events: unknown[]) => ({ delivery_id: 123456, events });

function eventsOf(...events: unknown[]) {
  const reading = read(delivery(...events));
  assert.ok(reading.kind === "read");
  return reading.events;
}

Deno.test("a call without a signature, with a wrong or old one or for an unknown secret is refused, unless it has a key", () => {
  const body = JSON.stringify(delivery(event("subscriber.activated")));
  const signed = (secret: string, seconds = SECONDS) => kitSignature(body, [secret], seconds);
  const call = (given: string | undefined, { text = body, secret = SECRET, authenticated = false } = {}) => {
    const headers = new Headers(given === undefined ? {} : { "X-Kit-Signature": given });
    return readKitWebhook({ headers, body: encode(text), authenticated }, { secret, now: NOW }).kind;
  };
  assert.equal(call(signed(SECRET)), "read");
  assert.equal(call(signed(SECRET, SECONDS - 300)), "read");
  assert.equal(call(undefined, { authenticated: true }), "read");
  const wrong = [
    undefined,
    "",
    "x",
    signed("another"),
    signed(SECRET, SECONDS - 301),
    signed(SECRET).slice(0, -1),
  ];
  for (const given of wrong) assert.equal(call(given), "refused", given);
  assert.equal(call(signed(SECRET), { text: `${body} ` }), "refused");
  assert.equal(call(signed(""), { secret: "" }), "refused");
});

Deno.test("while a secret is renewed, a call signed with both is read with either", () => {
  const body = JSON.stringify(delivery(event("subscriber.activated")));
  const headers = new Headers({ "X-Kit-Signature": kitSignature(body, ["whsec_new", SECRET], SECONDS) });
  for (const secret of ["whsec_new", SECRET]) {
    const request = { headers, body: encode(body), authenticated: false };
    assert.equal(readKitWebhook(request, { secret, now: NOW }).kind, "read");
  }
});

Deno.test("every event that cfbe registers is read, with the address normalized", () => {
  const about = { kind: "subscription", email: ADA };
  assert.deepEqual(eventsOf(event("subscriber.activated")), [{ ...about, change: "active" }]);
  assert.deepEqual(eventsOf(event("subscriber.unsubscribed")), [{ ...about, change: "ended" }]);
  assert.deepEqual(eventsOf(event("subscriber.bounced")), [{ kind: "mail", email: ADA }]);
  assert.deepEqual(eventsOf(event("subscriber.complained")), [{ kind: "mail", email: ADA }]);
});

Deno.test("all 100 events of a call are read, without those that cannot be read", () => {
  const emails = Array.from({ length: 97 }, (_, index) => `reader${index}@example.com`);
  const all = emails.map((email) => event("subscriber.activated", email));
  const events = eventsOf(...all, 7, null, event("subscriber.activated", "no address"));
  assert.deepEqual(events.map((read) => read.kind === "subscription" && read.email), emails);
});

Deno.test("an event that cfbe does not need is accepted without effect, so that Kit does not repeat it", () => {
  assert.deepEqual(eventsOf(event("purchase.created"), event("subscriber.created")), []);
  assert.deepEqual(eventsOf(), []);
});

Deno.test("a body that is not a delivery is malformed", () => {
  for (const body of ["", "[]", "7", "{", "{}", '{"events":{}}']) {
    assert.deepEqual(read(body), { kind: "refused", reason: "malformed" }, body);
  }
});
