import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { NAMESPACE } from "../../../shared/contract.ts";
import { readBluefoxWebhook } from "../../providers/adapters/bluefox/webhook_events.ts";
import { readMailerliteWebhook } from "../../providers/adapters/mailerlite/webhook_events.ts";
import { LIST, SECRET } from "../../../dev/testing/harness.ts";
import { ADA, choose, NEW_LIST, signUp, type Switching, switching } from "./testing/switching.ts";
import { automationStep, checks, subscription } from "./testing/webhooks.ts";

const BLUEFOX_KEY = { authorization: "Bearer bluefox-key" };
const SIGNING_SECRET = "mailerlite-signs-with-this";

/** Starts with an open confirmation of Ada at the old provider, and real readers of webhooks. */
async function switched(): Promise<Switching> {
  const world = await switching();
  const { old, fresh } = world;
  old.readWebhook = (request) => Promise.resolve(readBluefoxWebhook(request));
  fresh.readWebhook = (request) => Promise.resolve(readMailerliteWebhook(request, SIGNING_SECRET));
  fresh.capabilities = { ...fresh.capabilities, signedWebhooks: true };
  await signUp(world, ADA);
  await choose(world, "mailerlite");
  return world;
}

/** Posts a webhook call of MailerLite. */
function signed({ app }: Switching, payload: unknown, secret = SIGNING_SECRET): Promise<Response> {
  const body = JSON.stringify(payload);
  const signature = createHmac("sha256", secret).update(body).digest("hex");
  return app.fetch(`${NAMESPACE}/provider-hook`, { method: "POST", headers: { signature }, body });
}

const answer = async (response: Response) => [response.status, await response.json()];
const queued = [200, { ok: true, action: "queued" }];
const ignored = [200, { ok: true, action: "ignored" }];

Deno.test("after a switch, a webhook of the old provider with its key makes cfbe record the confirmation", async () => {
  await using world = await switched();
  const { app, old, fresh } = world;
  old.put(LIST, ADA, "active");
  assert.deepEqual(await answer(await app.hook(subscription("subscribe"), BLUEFOX_KEY)), queued);
  await app.work();
  const { status, confirmed } = (await app.record(ADA))!;
  assert.deepEqual([status, confirmed?.by], ["active", "webhook"]);
  assert.deepEqual(fresh.calls, []);
});

Deno.test("after a switch, an automation step of the old provider with the webhook secret is accepted", async () => {
  await using world = await switched();
  const step = automationStep({ email: ADA });
  assert.deepEqual(await answer(await world.app.hook(step, { "x-cfbe-secret": SECRET })), queued);
  assert.deepEqual(await checks(world.app), [`automation ${ADA} ${LIST}`]);
});

Deno.test("after a switch back, a signed webhook of the other provider is accepted, and one with a wrong signature is not", async () => {
  await using world = await switched();
  const { app } = world;
  await signUp(world, "bea@example.com");
  await choose(world, "bluefox");
  const event = { event: "subscriber.updated", email: "bea@example.com", status: "active" };
  assert.deepEqual(await answer(await signed(world, event, "wrong")), [401, { ok: false }]);
  assert.deepEqual(await checks(app), []);
  assert.deepEqual(await answer(await signed(world, event)), queued);
  assert.deepEqual(await checks(app), [`webhook bea@example.com ${NEW_LIST}`]);
});

Deno.test("an event of one provider queues no check of a signup at another one", async () => {
  await using world = await switched();
  const event = { event: "subscriber.updated", email: ADA, status: "active" };
  assert.deepEqual(await answer(await signed(world, event)), ignored);
  assert.deepEqual(await checks(world.app), []);
});

Deno.test("the old provider's webhooks are refused once its key is removed", async () => {
  await using world = await switched();
  const { app } = world;
  await app.services.settings.save("general", { apiKey: "" });
  const response = await app.hook(subscription("subscribe"), BLUEFOX_KEY);
  assert.deepEqual(await answer(response), [401, { ok: false }]);
  assert.equal((await app.hook(subscription("subscribe"), { authorization: "Bearer " })).status, 401);
});

Deno.test("a provider that was used before can still probe the webhook's URL", async () => {
  await using world = await switched();
  const { app, old } = world;
  const probe = async () => (await app.fetch(`${NAMESPACE}/provider-hook`)).status;
  assert.equal(await probe(), 405);
  old.capabilities = { ...old.capabilities, probesWebhook: true };
  assert.equal(await probe(), 200);
});

Deno.test("a signed call is shown as signed, and one whose signature was not verified is not", async () => {
  await using world = await switched();
  const { app } = world;
  const calls: [payload: unknown, secret?: string][] = [
    [{ event: "subscriber.updated", email: ADA, status: "active" }],
    ["no object"],
    ["x".repeat(64 * 1024)],
    [{}, "wrong"],
  ];
  for (const call of calls) {
    await (await signed(world, ...call)).body?.cancel();
    await app.clock.advance(1);
  }
  const shown = (await app.services.webhookCalls.recent()).map(({ by, result }) => [by, result]);
  assert.deepEqual(shown.toReversed(), [
    ["signature", "ignored"],
    ["signature", "not_json"],
    [undefined, "too_large"],
    [undefined, "unauthorized"],
  ]);
  assert.deepEqual(app.webhookEvents.map(({ action }) => action), ["ignored", "rejected"]);
});
