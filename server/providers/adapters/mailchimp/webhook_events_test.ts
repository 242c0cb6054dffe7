import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { mailchimpSignature } from "./testing/double.ts";
import { readMailchimpWebhook } from "./webhook_events.ts";
import { webhookToken } from "./webhook_token.ts";

const KEY = "0123456789abcdef-us6";
const SECRET = "whsec_of_a_test";
/** What anybody can compute while no key is configured. */
const TOKEN_OF_NO_KEY = createHmac("sha256", "").update("cfbe webhook URL").digest("base64url");
const NOW = Date.parse("2026-11-22T13:00:00Z");
const ADA = "ada@example.com";

interface Call {
  signature?: string;
  token?: string;
  authenticated?: boolean;
  apiKey?: string;
  signingSecrets?: string[];
}

function read(body: string, { signature, token, authenticated = false, ...keys }: Call) {
  const request = {
    headers: new Headers(signature === undefined ? {} : { "X-Mailchimp-Signature": signature }),
    body: new TextEncoder().encode(body),
    ...(token !== undefined && { query: new URLSearchParams({ cfbe_token: token }) }),
    authenticated,
  };
  return readMailchimpWebhook(request, {
    apiKey: KEY,
    signingSecrets: ["another", SECRET],
    now: NOW,
    ...keys,
  });
}

const form = (type: string, data: Record<string, string>) =>
  new URLSearchParams({
    type,
    fired_at: "2026-11-22 13:00:00",
    ...Object.fromEntries(Object.entries(data).map(([name, value]) => [`data[${name}]`, value])),
  }).toString();

function eventsOf(type: string, data: Record<string, string>) {
  const reading = read(form(type, data), { authenticated: true });
  assert.ok(reading.kind === "read");
  return reading.events;
}

Deno.test("a call is accepted with the secret in its URL, or with the signature of any audience's webhook", () => {
  const body = form("subscribe", { email: ADA });
  assert.equal(read(body, { token: webhookToken(KEY)! }).kind, "read");
  assert.equal(read(body, { signature: mailchimpSignature(body, SECRET, NOW) }).kind, "read");
  assert.equal(read(body, { authenticated: true }).kind, "read");
});

Deno.test("a call with neither is refused, and so is one with a signature that is wrong or older than five minutes", () => {
  const body = form("subscribe", { email: ADA });
  const valid = mailchimpSignature(body, SECRET, NOW);
  const refused: [string, Call][] = [
    [body, {}],
    [body, { token: "" }],
    [body, { token: webhookToken("another-us6")! }],
    [body, { token: "", apiKey: "" }],
    [body, { token: TOKEN_OF_NO_KEY, apiKey: "" }],
    [body, { token: "undefined", apiKey: "" }],
    [body, { signature: "" }],
    [body, { signature: mailchimpSignature(body, "wrong", NOW) }],
    [body, { signature: mailchimpSignature(body, "", NOW), signingSecrets: [""] }],
    [body, { signature: mailchimpSignature(body, SECRET, NOW - 301_000) }],
    [body, { signature: valid, signingSecrets: [] }],
    [`${body}&more=1`, { signature: valid }],
  ];
  for (const [text, call] of refused) {
    assert.deepEqual(read(text, call), { kind: "refused", reason: "unauthorized" }, JSON.stringify(call));
  }
});

Deno.test("every event about a person is read from the form, with the audience and the address normalized", () => {
  const about = { kind: "subscription", email: ADA, list: "a1" };
  const data = { email: "Ada@Example.com", list_id: "a1" };
  assert.deepEqual(eventsOf("subscribe", data), [{ ...about, change: "active" }]);
  assert.deepEqual(eventsOf("unsubscribe", data), [{ ...about, change: "ended" }]);
  assert.deepEqual(eventsOf("cleaned", data), [{ kind: "mail", email: ADA }]);
  const changed = { old_email: ADA, new_email: "countess@example.com", list_id: "a1" };
  assert.deepEqual(eventsOf("upemail", changed), [
    { ...about, change: "ended" },
    { ...about, email: "countess@example.com", change: "other" },
  ]);
  assert.deepEqual(eventsOf("subscribe", { email: ADA }), [{
    kind: "subscription",
    email: ADA,
    change: "active",
  }]);
});

Deno.test("an event that cfbe does not need, or without an address, is accepted without effect, so that it is not repeated", () => {
  for (const type of ["profile", "campaign", "x"]) assert.deepEqual(eventsOf(type, { email: ADA }), [], type);
  for (const type of ["subscribe", "unsubscribe", "cleaned", "upemail"]) {
    for (const data of [{}, { email: "no address", new_email: "" }]) {
      assert.deepEqual(eventsOf(type, data as Record<string, string>), [], type);
    }
  }
});

Deno.test("a body without a type is malformed", () => {
  for (const body of ["", "{}", '{"type":"subscribe"}', "fired_at=now", "type="]) {
    assert.deepEqual(read(body, { authenticated: true }), { kind: "refused", reason: "malformed" }, body);
  }
});
