import assert from "node:assert/strict";
import { withoutTests } from "../../../forms/public/test_form.ts";
import { LIST } from "../../../../dev/testing/harness.ts";
import { utcDay } from "../../../platform/observe/days.ts";
import { type AdminHarness, adminHarness, type SignedIn } from "../../../../dev/testing/admin_harness.ts";
import { send, stepOn } from "./testing/setup_steps.ts";

const KNOWN = { id: LIST, name: "News", doubleOptIn: true };
const ADA = "ada@example.com";

/** A provider with webhooks that is set up except for the connection test. The sandbox reaches a local service. */
async function almostReady(provider = "sandbox"): Promise<{ app: AdminHarness; admin: SignedIn }> {
  const general = { provider, projectId: "p", knownLists: [KNOWN] };
  const app = await adminHarness({ settings: { general } });
  app.provider.lists = () => Promise.resolve({ kind: "lists", lists: [KNOWN] });
  return { app, admin: await app.signIn() };
}

Deno.test("a connection test is remembered, and counts no longer when the settings change", async () => {
  const { app, admin } = await almostReady("bluefox");
  await using _ = app;
  assert.deepEqual(await stepOn(admin, "connection"), ["current", "Not tested yet."]);
  await send(admin, "cfbe_test_connection");
  assert.deepEqual(await stepOn(admin, "connection"), ["done", "Connected to Stub."]);
  assert.deepEqual(await stepOn(admin, "webhook"), [
    "optional",
    "The provider cannot reach this machine. Polling finds confirmations within 15 minutes.",
  ]);
  app.provider.connected = { kind: "forbidden", message: "no" };
  await app.clock.advance(1);
  await send(admin, "cfbe_test_connection");
  assert.deepEqual((await stepOn(admin, "connection"))[0], "wrong");
  assert.deepEqual(await stepOn(admin, "webhook"), ["later", "Waits for step 3."]);
  await app.services.settings.save("general", { apiKey: "another-key" });
  app.provider.connected = { kind: "connected", name: "Stub", status: "production" };
  await app.services.provider.connection();
  assert.match((await stepOn(admin, "connection"))[1], /changed since the last test/);
});

Deno.test("registering the webhook completes its step, and a foreign one needs a decision", async () => {
  const { app, admin } = await almostReady();
  await using _ = app;
  await send(admin, "cfbe_test_connection");
  const missing = [] as string[];
  app.provider.registered = { url: "https://other.example/hook", events: [], missing, surplus: [] };
  const [state, summary] = await stepOn(admin, "webhook");
  assert.equal(state, "wrong");
  assert.match(summary, /webhook points to https:\/\/other\.example\/hook instead of/);
  assert.equal((await send(admin, "cfbe_register_webhook")).status, 409);
  assert.equal((await send(admin, "cfbe_register_webhook", { "b:replace": "true" })).status, 303);
  assert.deepEqual(await stepOn(admin, "webhook"), ["done", "Registered."]);
});

Deno.test("the webhook of a service that only this machine can reach is optional", async () => {
  const { app, admin } = await almostReady("bluefox");
  await using _ = app;
  await send(admin, "cfbe_test_connection");
  const [state, summary] = await stepOn(admin, "webhook");
  assert.equal(state, "optional");
  assert.match(summary, /cannot reach this machine/);
  assert.match((await admin.page("/provider")).html, /<code>CFBE_BASE_URL<\/code>/);
});

Deno.test("a provider without webhooks is set up without that step", async () => {
  const { app, admin } = await almostReady();
  await using _ = app;
  app.provider.capabilities.webhook = false;
  await send(admin, "cfbe_test_connection");
  assert.doesNotMatch((await admin.page("/provider")).html, /step-webhook|Register the webhook/);
  assert.deepEqual(await stepOn(admin, "test"), ["current", "Not sent yet."]);
});

Deno.test("a test signup is followed from its acceptance to the confirmation, and no figure counts it", async () => {
  const { app, admin } = await almostReady();
  await using _ = app;
  await send(admin, "cfbe_test_connection");
  await send(admin, "cfbe_register_webhook");
  const sent = await send(admin, "cfbe_send_test_signup", { email: " Ada@Example.com " });
  assert.equal(sent.status, 303);
  assert.doesNotMatch(decodeURIComponent(sent.to), /ada/i, "the address is not in the URL");
  const page = sent.to.replace(/^\/admin/, "");
  assert.deepEqual(await stepOn(admin, "test", page), ["current", "Waiting for the delivery."]);
  assert.match((await admin.page(page)).html, /data-watch/);
  await app.work();
  assert.deepEqual(app.provider.mails, [ADA]);
  assert.deepEqual(await stepOn(admin, "test", page), [
    "current",
    "Delivered. Waiting for the confirmation.",
  ]);
  assert.match((await stepOn(admin, "test"))[1], /was sent, and is not confirmed yet/);
  app.provider.put(LIST, ADA, "active");
  await app.clock.advance(60_000);
  await app.services.poll.run();
  assert.deepEqual(await stepOn(admin, "test", page), ["done", "Accepted, delivered and confirmed."]);
  assert.doesNotMatch((await admin.page(page)).html, /data-watch|http-equiv="refresh"/);
  assert.deepEqual(await stepOn(admin, "test"), ["done", "A test signup was confirmed."]);
  assert.equal((await app.record(ADA))?.form, "_test");
  assert.deepEqual((await app.consents(ADA)).map(({ given, placement }) => [given, placement]), [[
    false,
    "test",
  ]]);
  const today = utcDay(app.clock.now());
  assert.deepEqual(withoutTests(await app.services.counters.days(today, today + 1)), []);
});

Deno.test("a test signup that fails or is already known says what to do", async () => {
  const { app, admin } = await almostReady();
  await using _ = app;
  await send(admin, "cfbe_test_connection");
  assert.match(
    (await send(admin, "cfbe_send_test_signup", { email: "nonsense" })).html,
    /valid email address/,
  );
  await (await app.post({ email: ADA })).body?.cancel();
  const known = await send(admin, "cfbe_send_test_signup", { email: ADA });
  assert.equal(known.status, 422);
  assert.match(known.html, /has signed up before\. Use another one/);
  await app.work();
  app.provider.nextResults.subscribe.push({ kind: "refused", reason: "blocked domain" });
  const sent = await send(admin, "cfbe_send_test_signup", { email: "bob@example.com" });
  await app.work();
  assert.deepEqual(await stepOn(admin, "test", sent.to.replace(/^\/admin/, "")), [
    "wrong",
    "The delivery failed: blocked domain.",
  ]);
});

Deno.test("only users who may operate cfbe send test signups, and others see no address", async () => {
  const { app, admin } = await almostReady();
  await using _ = app;
  await send(admin, "cfbe_test_connection");
  const { to } = await send(admin, "cfbe_send_test_signup", { email: ADA });
  const support = await app.signIn("support");
  assert.equal((await send(support, "cfbe_send_test_signup", { email: ADA })).status, 403);
  assert.equal(
    (await send(support, "cfbe_use_provider", { provider: "listmonk", defaultList: "3" })).status,
    403,
  );
  const analyst = await app.signIn("analyst");
  assert.doesNotMatch((await analyst.page(to.replace(/^\/admin/, ""))).html, /ada@example\.com/);
});
