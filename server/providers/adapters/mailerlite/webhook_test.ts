import assert from "node:assert/strict";
import { serveMailerlite } from "./testing/serve.ts";
import { NEEDED_EVENTS, WEBHOOK_NAME } from "./webhook.ts";

const OWN = { url: "https://own.example/hook", secretKey: "" };
const foreign = { name: "Zapier", url: "https://zapier.example", events: ["campaign.sent"] };

Deno.test("the webhooks of other systems are neither reported nor changed", async () => {
  await using served = await serveMailerlite();
  const { account } = served;
  for (let hook = 0; hook < 55; hook++) account.register(foreign);
  const before = structuredClone(account.hooks);
  const provider = served.provider();
  assert.deepEqual(await provider.getWebhook(), { kind: "webhook", webhook: null });
  assert.equal((await provider.setWebhook({ ...OWN, replace: true })).kind, "registered");
  assert.deepEqual(account.hooks.slice(0, -1), before);
  const found = await provider.getWebhook();
  assert.equal(found.kind === "webhook" && found.webhook?.url, OWN.url, "on the second page");
});

Deno.test("registering again keeps one webhook and its secret, and sends no change", async () => {
  await using served = await serveMailerlite();
  const provider = served.provider();
  const first = await provider.setWebhook(OWN);
  assert.deepEqual(await provider.setWebhook(OWN), first);
  assert.equal(served.account.hooks.length, 1);
  assert.deepEqual(served.front.received.map(({ method }) => method), ["GET", "POST", "GET"]);
});

Deno.test("the secret of the registered webhook is kept for the settings, and is in no other result", async () => {
  await using served = await serveMailerlite();
  const provider = served.provider();
  const set = await provider.setWebhook(OWN);
  const { secret } = served.account.hooks[0]!;
  assert.ok(set.kind === "registered");
  assert.deepEqual(set.keep, { mailerliteWebhookSecret: secret });
  const found = await provider.getWebhook();
  assert.equal(found.kind === "webhook" && found.webhook?.keyFits, false, "not stored yet");
  served.stored.secret = secret;
  assert.deepEqual(await provider.getWebhook(), { kind: "webhook", webhook: set.webhook });
  assert.ok(!JSON.stringify([set.webhook, found]).includes(secret));
});

Deno.test("a webhook that is disabled or lacks an event is reported as incomplete, and registering repairs it", async () => {
  await using served = await serveMailerlite();
  const provider = served.provider();
  const hook = served.account.register({ name: WEBHOOK_NAME, url: OWN.url, events: [...NEEDED_EVENTS] });
  for (const fault of [{ enabled: false }, { events: ["campaign.sent"] }]) {
    Object.assign(hook, fault);
    const found = await provider.getWebhook();
    assert.deepEqual(found.kind === "webhook" && found.webhook?.missing, NEEDED_EVENTS);
    assert.equal((await provider.setWebhook(OWN)).kind, "registered");
    assert.deepEqual([hook.enabled, hook.events], [true, NEEDED_EVENTS]);
  }
  assert.equal(served.account.hooks.length, 1);
});

Deno.test("a webhook whose URL MailerLite does not accept is refused", async () => {
  await using served = await serveMailerlite();
  assert.equal((await served.provider().setWebhook({ ...OWN, url: "no URL" })).kind, "refused");
});
