import assert from "node:assert/strict";
import { KEY, serveMailchimp } from "./testing/serve.ts";
import { NEEDED_EVENTS } from "./webhook.ts";
import { webhookToken, withToken } from "./webhook_token.ts";

const OWN = { url: "https://own.example/hook", secretKey: KEY };
const ZAPIER = { url: "https://zapier.example/hook" };
const TOKEN = webhookToken(KEY)!;

Deno.test("the webhook is registered in every audience, with a secret in its URL that no result contains", async () => {
  await using served = await serveMailchimp();
  const { account, audiences } = served;
  const set = await served.provider().setWebhook(OWN);
  assert.ok(set.kind === "registered");
  const hooks = audiences.map((id) => account.audiences.get(id)!.hooks);
  assert.deepEqual(hooks.map((all) => all.map(({ url }) => url)), [
    [withToken(OWN.url, TOKEN)],
    [withToken(OWN.url, TOKEN)],
  ]);
  assert.deepEqual(set.webhook, {
    url: OWN.url,
    events: NEEDED_EVENTS,
    missing: [],
    surplus: [],
    keyFits: true,
  });
  const found = await served.provider().getWebhook();
  assert.deepEqual(found, { kind: "webhook", webhook: set.webhook });
  assert.ok(!JSON.stringify([set.webhook, found]).includes(TOKEN));
});

Deno.test("the signing secrets are kept for the settings, beside those of other audiences", async () => {
  await using served = await serveMailchimp();
  const { account, audiences, stored } = served;
  stored.secrets = "an-earlier-secret";
  const set = await served.provider().setWebhook(OWN);
  assert.ok(set.kind === "registered");
  const secrets = audiences.map((id) => account.audiences.get(id)!.hooks[0]!.secret);
  const kept = set.keep!["mailchimpSigningSecrets"]!.split(" ");
  assert.deepEqual(kept.toSorted(), [...secrets, "an-earlier-secret"].toSorted());
  assert.ok(!JSON.stringify(set.webhook).includes(secrets[0]!));
});

Deno.test("registering again changes nothing, and a webhook without a signing secret is registered too", async () => {
  await using served = await serveMailchimp();
  served.account.signs = false;
  const first = await served.provider().setWebhook(OWN);
  assert.ok(first.kind === "registered" && !("keep" in first));
  assert.deepEqual(await served.provider().setWebhook(OWN), first);
  const writes = served.front.received.filter(({ method }) => method !== "GET");
  assert.deepEqual(writes.map(({ method }) => method), ["POST", "POST"]);
});

Deno.test("the webhooks of other systems are neither reported nor changed", async () => {
  await using served = await serveMailchimp();
  const { account, audiences: [list] } = served;
  const other = { ...account.register(list, ZAPIER) };
  assert.deepEqual(await served.provider().getWebhook(), { kind: "webhook", webhook: null });
  assert.equal((await served.provider().setWebhook({ ...OWN, replace: true })).kind, "registered");
  assert.deepEqual(account.audiences.get(list)!.hooks[0], other);
});

Deno.test("two systems with cfbe and a key each keep a webhook of their own", async () => {
  await using served = await serveMailchimp();
  const { account, audiences: [list] } = served;
  const other = {
    ...account.register(list, { url: withToken("https://shop.example/hook", "of-another-key") }),
  };
  account.register(list, { url: withToken(OWN.url, TOKEN) });
  assert.equal((await served.provider().setWebhook({ ...OWN, replace: true })).kind, "registered");
  const found = await served.provider().getWebhook();
  assert.equal(found.kind === "webhook" && found.webhook?.url, OWN.url);
  assert.deepEqual(account.audiences.get(list)!.hooks[0], other);
});

Deno.test("a webhook with another key, an event or a source missing, or missing in one audience, is reported and repaired", async () => {
  await using served = await serveMailchimp();
  const { account, audiences: [first, second] } = served;
  const provider = served.provider();
  await provider.setWebhook(OWN);
  const hook = account.audiences.get(first)!.hooks[0]!;
  const damages = [
    () => hook.events["cleaned"] = false,
    () => hook.sources["user"] = false,
    () => hook.url = withToken(OWN.url, "of-another-key"),
    () => account.audiences.get(second)!.hooks.splice(0),
  ];
  for (const damage of damages) {
    damage();
    const found = await provider.getWebhook();
    assert.ok(found.kind === "webhook" && found.webhook);
    assert.ok(found.webhook.missing.length > 0 || found.webhook.keyFits === false, damage.toString());
    const set = await provider.setWebhook(OWN);
    assert.ok(set.kind === "registered");
    assert.deepEqual([set.webhook.missing, set.webhook.keyFits], [[], true]);
    assert.equal(account.audiences.get(first)!.hooks.length, 1);
  }
});

Deno.test("a replacement that ends half way still reports the other URL, so that it can be repeated", async () => {
  await using served = await serveMailchimp();
  const { account, audiences, front } = served;
  for (const id of audiences) account.register(id, { url: withToken("https://old.example/hook", TOKEN) });
  let writes = 0;
  front.fail("resets before storing", ({ method }) => method === "PATCH" && ++writes === 2);
  const set = await served.provider().setWebhook({ ...OWN, replace: true });
  assert.equal(set.kind, "trouble");
  front.recover();
  const found = await served.provider().getWebhook();
  assert.equal(found.kind === "webhook" && found.webhook?.url, "https://old.example/hook");
  assert.equal((await served.provider().setWebhook({ ...OWN, replace: true })).kind, "registered");
});

Deno.test("a webhook whose URL Mailchimp does not accept is refused, and so is one without an audience", async () => {
  await using served = await serveMailchimp();
  assert.equal((await served.provider().setWebhook({ ...OWN, url: "no URL" })).kind, "refused");
  served.account.audiences.clear();
  assert.equal((await served.provider().setWebhook(OWN)).kind, "refused");
});
