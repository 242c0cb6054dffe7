import assert from "node:assert/strict";
import { harness, SECRET } from "../../../dev/testing/harness.ts";
import { startProgram } from "../../../dev/testing/program.ts";
import { OVERLAP_MS } from "../../signup/confirm/previous_secret.ts";
import { newWebhookSecret, recentDeliveries, registerWebhook, webhookState } from "./webhook.ts";

Deno.test("a webhook of another service is reported, and overwritten only when requested", async () => {
  await using program = await startProgram({ run: false });
  const { services } = program;
  const url = `${program.api}/provider-hook`;
  assert.equal((await webhookState(services) as { state: string }).state, "ours");

  const foreign = "https://user:hidden@other.example/hook?key=hidden";
  const shown = "https://…@other.example/hook?…";
  const secretKey = services.settings.apiKey();
  await services.provider.setWebhook({ url: foreign, secretKey, replace: true });
  assert.deepEqual(await registerWebhook(services), { kind: "foreign", url: shown });
  const state = await webhookState(services);
  assert.deepEqual([state.kind === "state" && [state.state, state.registered?.url]], [["foreign", shown]]);

  const replaced = await registerWebhook(services, { replace: true });
  assert.ok(replaced.kind === "registered");
  assert.deepEqual([replaced.webhook.url, replaced.replaced], [url, shown]);
  assert.equal(services.settings.current().webhooks.registeredUrl, url);
});

Deno.test("our webhook with another key is reported as stale, and registering it again fixes it", async () => {
  await using app = await harness();
  const url = "http://news.example/wp-json/cfbe/v1/provider-hook";
  app.provider.registered = { url, events: [], missing: [], surplus: [], keyFits: false };
  const state = async () => (await webhookState(app.services) as { state: string }).state;
  assert.equal(await state(), "stale_key");
  assert.equal((await registerWebhook(app.services)).kind, "registered");
  assert.equal(await state(), "ours");
});

Deno.test("a loopback URL is not registered at a provider that can't reach it", async () => {
  await using app = await harness({
    env: { CFBE_PROVIDER: "bluefox", CFBE_BASE_URL: "http://localhost:8000" },
  });
  assert.equal((await registerWebhook(app.services)).kind, "loopback");
  assert.equal(app.provider.registered, null);
});

Deno.test("a new secret replaces the old one at once, or after a day if the old one is kept", async () => {
  await using app = await harness();
  const status = async (secret: string) => {
    const response = await app.hook({ type: "open" }, { "x-cfbe-secret": secret });
    await response.body?.cancel();
    return response.status;
  };
  const first = await newWebhookSecret(app.services, { keepOld: true });
  assert.ok(first.kind === "renewed");
  assert.deepEqual([await status(first.secret), await status(SECRET)], [200, 200]);
  assert.ok(!(await app.dump()).includes(first.secret), "encrypted in the database");
  assert.ok(!(await app.dump()).includes(SECRET), "the old one too");
  await app.clock.advance(OVERLAP_MS);
  assert.deepEqual([await status(first.secret), await status(SECRET)], [200, 401]);
  const second = await newWebhookSecret(app.services);
  assert.ok(second.kind === "renewed");
  assert.deepEqual([await status(second.secret), await status(first.secret), await status("")], [
    200,
    401,
    401,
  ]);
});

Deno.test("a secret set by the config file is not renewed, and the result says what sets it", async () => {
  await using app = await harness({ settings: { webhooks: { secret: "fixed" } } });
  assert.deepEqual(await newWebhookSecret(app.services), { kind: "fixed", by: "config file" });
});

Deno.test("recent webhook calls are listed with their results, without email addresses, and survive a restart", async () => {
  await using app = await harness();
  const calls: [unknown, Record<string, string>?][] = [
    [{ type: "open", emailData: { to: "ann@example.com" } }],
    [{ type: "a strange ann@example.com" }],
    [{ automationId: "a", contact: {} }, { "x-cfbe-secret": SECRET }],
    ["no JSON"],
    [{ type: "open" }, { "x-cfbe-secret": "wrong" }],
  ];
  for (const [payload, headers] of calls) {
    await (await app.hook(payload, headers)).body?.cancel();
    await app.clock.advance(1);
  }
  const seen = async () =>
    (await recentDeliveries(app.services)).map(({ by, type, result }) => [by, type, result]);
  const expected = [
    [undefined, undefined, "unauthorized"],
    ["key", undefined, "not_json"],
    ["secret", "automation", "refused"],
    ["key", "unknown", "received"],
    ["key", "open", "received"],
  ];
  assert.deepEqual(await seen(), expected);
  await app.services.webhookCalls.flush();
  assert.deepEqual(await seen(), expected);
  assert.doesNotMatch(await app.dump(), /ann@|strange/);
});

Deno.test("unauthenticated calls do not displace calls of the provider, and the row stays small", async () => {
  await using app = await harness();
  const { webhookCalls } = app.services;
  webhookCalls.note({ at: 1, by: "key", type: "open", result: "received" });
  for (let at = 2; at < 500; at++) webhookCalls.note({ at, result: "unauthorized" });
  await webhookCalls.flush();
  const calls = await webhookCalls.recent();
  assert.deepEqual([calls.length, calls.at(-1)?.by], [11, "key"]);
});

Deno.test("a secret that was renewed while the clock was ahead replaces the old one once it is right", async () => {
  await using app = await harness();
  const right = app.clock.now();
  await app.clock.set(right + 365 * OVERLAP_MS);
  assert.equal((await newWebhookSecret(app.services, { keepOld: true })).kind, "renewed");
  const status = async () => {
    const response = await app.hook({ type: "open" }, { "x-cfbe-secret": SECRET });
    await response.body?.cancel();
    return response.status;
  };
  assert.equal(await status(), 200);
  await app.clock.set(right);
  assert.equal(await status(), 401);
});
