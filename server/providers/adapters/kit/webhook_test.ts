import assert from "node:assert/strict";
import { serveKit } from "./testing/serve.ts";
import { NEEDED_EVENTS, WEBHOOK_NAME } from "./webhook.ts";

const OWN = { url: "https://own.example/hook", secretKey: "" };
const foreign = { name: "Zapier", url: "https://zapier.example", events: ["subscriber.created"] };

Deno.test("the webhooks of other systems are neither reported nor changed", async () => {
  await using served = await serveKit();
  const { account } = served;
  for (let hook = 0; hook < 505; hook++) account.register(foreign);
  const before = structuredClone(account.hooks);
  const provider = served.provider();
  assert.deepEqual(await provider.getWebhook(), { kind: "webhook", webhook: null });
  assert.equal((await provider.setWebhook({ ...OWN, replace: true })).kind, "registered");
  assert.deepEqual(account.hooks.slice(0, -1), before);
  const found = await provider.getWebhook();
  assert.equal(found.kind === "webhook" && found.webhook?.url, OWN.url, "on the second page");
});

Deno.test("registering again keeps one webhook and renews its secret, however often, so that a lost secret is replaced", async () => {
  await using served = await serveKit();
  const provider = served.provider();
  const secrets = new Set<string>();
  for (let repeat = 0; repeat < 3; repeat++) {
    const set = await provider.setWebhook(OWN);
    assert.ok(set.kind === "registered");
    secrets.add(set.keep!["kitWebhookSecret"]!);
    assert.equal(set.keep!["kitWebhookSecret"], served.account.hooks[0]!.secret);
    assert.ok(!JSON.stringify(set.webhook).includes(served.account.hooks[0]!.secret));
  }
  assert.deepEqual([served.account.hooks.length, secrets.size], [1, 3]);
  assert.ok(!served.front.received.some(({ method }) => method === "PATCH"));
});

Deno.test("a webhook without a stored secret is reported as stale", async () => {
  await using served = await serveKit();
  const provider = served.provider();
  const set = await provider.setWebhook(OWN);
  assert.ok(set.kind === "registered");
  const before = await provider.getWebhook();
  assert.equal(before.kind === "webhook" && before.webhook?.keyFits, false);
  served.stored.secret = set.keep!["kitWebhookSecret"]!;
  assert.deepEqual(await provider.getWebhook(), { kind: "webhook", webhook: set.webhook });
});

Deno.test("a webhook that is disabled or lacks an event is reported as incomplete, and registering repairs it", async () => {
  await using served = await serveKit();
  const provider = served.provider();
  const hook = served.account.register({ name: WEBHOOK_NAME, url: OWN.url, events: [...NEEDED_EVENTS] });
  for (const fault of [{ status: "disabled" as const }, { events: ["subscriber.created"] }]) {
    Object.assign(hook, fault);
    const found = await provider.getWebhook();
    assert.deepEqual(found.kind === "webhook" && found.webhook?.missing, NEEDED_EVENTS);
    assert.equal((await provider.setWebhook(OWN)).kind, "registered");
    assert.deepEqual([hook.status, hook.events], ["active", NEEDED_EVENTS]);
  }
  assert.equal(served.account.hooks.length, 1);
});

Deno.test("a webhook whose URL Kit does not accept is refused", async () => {
  await using served = await serveKit();
  const provider = served.provider();
  const local = { ...OWN, url: "http://localhost:8000/hook", replace: true };
  assert.equal((await provider.setWebhook(local)).kind, "refused");
  await provider.setWebhook(OWN);
  assert.equal((await provider.setWebhook(local)).kind, "refused");
  assert.equal(served.account.hooks[0]!.url, OWN.url);
});
