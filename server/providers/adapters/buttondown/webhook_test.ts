import assert from "node:assert/strict";
import { startJourney } from "../../testing/journey.ts";
import type { WebhookReading } from "../../port/webhook.ts";
import { buttondownSignature } from "./testing/double.ts";
import { serveButtondown } from "./testing/serve.ts";
import { readButtondownWebhook } from "./webhook_events.ts";

const SECRET = "a-signing-key-of-a-test";
const ADA = "ada@example.com";
const encode = (text: string) => new TextEncoder().encode(text);
const event = (type: string, data: Record<string, unknown> = { subscriber: "sub_1" }) =>
  JSON.stringify({ id: "ext_evt_1", event_type: type, data });

function read(body: string, signature = buttondownSignature(body, SECRET), secret = SECRET): WebhookReading {
  const headers = new Headers({ "X-Buttondown-Signature": signature });
  return readButtondownWebhook({ headers, body: encode(body), authenticated: false }, { secret });
}

Deno.test("a call without a signature, with a wrong one or without a key in the settings is refused", () => {
  const body = event("subscriber.confirmed");
  const right = buttondownSignature(body, SECRET);
  assert.equal(read(body).kind, "read");
  for (const wrong of ["", "x", right.slice(7), right.slice(0, -1), buttondownSignature(body, "another")]) {
    assert.equal(read(body, wrong).kind, "refused", wrong);
  }
  assert.equal(read(`${body} `, right).kind, "refused");
  assert.equal(read(body, buttondownSignature(body, ""), "").kind, "refused");
});

Deno.test("events about a subscription name the subscriber by ID, and others and invalid IDs are skipped", () => {
  const eventsOf = (type: string, data?: Record<string, unknown>) => {
    const reading = read(event(type, data));
    assert.ok(reading.kind === "read");
    assert.equal(reading.type, type);
    return reading.events;
  };
  const unnamed = { kind: "unnamed", id: "sub_1" };
  assert.deepEqual(eventsOf("subscriber.confirmed"), [{ ...unnamed, change: "active" }]);
  assert.deepEqual(
    eventsOf("subscriber.unsubscribed", { subscriber: "sub_1", newsletter: "news_1" }),
    [{ ...unnamed, list: "news_1", change: "ended" }],
  );
  assert.deepEqual(eventsOf("email.sent", { email: "em_1" }), []);
  assert.deepEqual(eventsOf("subscriber.opened"), [], "an event that changes no subscription");
  for (const subscriber of [undefined, 1, "", "../newsletters", "a".repeat(101)]) {
    assert.deepEqual(eventsOf("subscriber.confirmed", { subscriber }), [], String(subscriber));
  }
  assert.deepEqual(read("[]"), { kind: "refused", reason: "malformed" });
  assert.deepEqual(read("{}"), { kind: "refused", reason: "malformed" });
});

/** The real program with a signup that is pending, and the call about its confirmation. */
async function pendingSignup() {
  const served = await serveButtondown();
  const settings = { buttondownWebhookSecret: SECRET };
  const app = await startJourney("buttondown", { ...served, settings });
  await app.signUp(ADA);
  assert.deepEqual(await app.state(ADA), ["pending", "pending"]);
  const { id } = served.own.people.get(ADA)!;
  const confirmed = (data: Record<string, unknown> = { subscriber: id, newsletter: served.own.id }) => {
    const body = event("subscriber.confirmed", data);
    return app.post(body, { "x-buttondown-signature": buttondownSignature(body, SECRET) });
  };
  const stop = async () => {
    await app[Symbol.asyncDispose]();
    await served[Symbol.asyncDispose]();
  };
  return { served, app, confirmed, id, [Symbol.asyncDispose]: stop };
}

Deno.test("a webhook that contains only an ID confirms the signup at once, as the newsletter says", async () => {
  await using t = await pendingSignup();
  const { served: { put }, app, confirmed } = t;
  assert.equal(await confirmed(), 200);
  assert.deepEqual(await app.state(ADA), ["pending", "pending"], "the newsletter decides, not the call");
  put(ADA, "regular");
  assert.equal(await confirmed(), 200);
  assert.deepEqual(await app.state(ADA), ["active", "active"]);
  put(ADA, "unsubscribed");
  assert.equal(await confirmed({ subscriber: t.id }), 200);
  assert.deepEqual(await app.state(ADA), ["active", "unsubscribed"], "without the newsletter's ID, too");
});

Deno.test("an ID that Buttondown does not know, or of somebody who never signed up, changes nothing", async () => {
  await using t = await pendingSignup();
  const { served: { put, own }, app, confirmed } = t;
  put("stranger@example.com", "regular");
  for (const subscriber of ["sub_unknown", own.people.get("stranger@example.com")!.id]) {
    assert.equal(await confirmed({ subscriber }), 200);
  }
  assert.deepEqual(await app.state(ADA), ["pending", "pending"]);
  assert.equal(await app.poll(), 0);
});
