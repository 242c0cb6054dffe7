import assert from "node:assert/strict";
import type { ProviderEvent } from "../../port/webhook.ts";
import { serveBrevo } from "./testing/serve.ts";
import { readBrevoWebhook } from "./webhook_events.ts";

const ADA = "ada@example.com";
const call = (payload: unknown, authenticated = true) => ({
  headers: new Headers(),
  body: new TextEncoder().encode(typeof payload === "string" ? payload : JSON.stringify(payload)),
  authenticated,
});
const changed = (change: "active" | "ended" | "other", list?: string): ProviderEvent => ({
  kind: "subscription",
  email: ADA,
  ...(list !== undefined && { list }),
  change,
});

const table: [name: string, payload: unknown, events: ProviderEvent[]][] = [
  ["list_addition", { event: "list_addition", email: "Ada@EXAMPLE.com", list_id: [3] }, [
    changed("active", "3"),
  ]],
  ["listAddition", { event: "listAddition", email: ADA, list_id: 3 }, [changed("active", "3")]],
  ["list_addition to two lists", { event: "list_addition", email: ADA, list_id: [3, 4] }, [
    changed("active", "3"),
    changed("active", "4"),
  ]],
  ["unsubscribe", { event: "unsubscribe", email: ADA, list_id: [3] }, [changed("ended", "3")]],
  ["unsubscribed without a list", { event: "unsubscribed", email: ADA }, [changed("ended")]],
  ["contact_deleted", { event: "contact_deleted", email: [ADA, "no address"] }, [changed("ended")]],
  ["contact_updated", { event: "contact_updated", email: ADA }, [changed("other")]],
  ["hard_bounce", { event: "hard_bounce", email: ADA }, [{ kind: "mail", email: ADA }]],
  ["spam", { event: "spam", email: ADA }, [{ kind: "mail", email: ADA }]],
  ["opened", { event: "opened", email: ADA }, [{ kind: "mail" }]],
  ["list_addition without an address", { event: "list_addition", list_id: [3] }, []],
  ["a list ID in another form", { event: "list_addition", email: ADA, list_id: [{}, "3", 1.5] }, [
    changed("active"),
  ]],
  ["a name that every object has", { event: "to_String", email: ADA }, []],
  ["no event", { email: ADA }, []],
];
for (const [name, payload, events] of table) {
  Deno.test(`${name} is ${events.map(({ kind }) => kind).join() || "no event"}`, () => {
    const read = readBrevoWebhook(call(payload));
    assert.deepEqual(read.kind === "read" && read.events, events);
    assert.deepEqual(read.kind === "read" && read.payload, payload);
  });
}

Deno.test("a batch of events is read event by event", () => {
  const events = [{ event: "list_addition", email: ADA, list_id: [3] }, 7, { event: "spam", email: ADA }];
  const read = readBrevoWebhook(call(events));
  assert.deepEqual(read.kind === "read" && read.events, [changed("active", "3"), {
    kind: "mail",
    email: ADA,
  }]);
});

Deno.test("a call without credentials and a body that is not JSON are refused", () => {
  const reasonOf = (...given: Parameters<typeof call>) => {
    const read = readBrevoWebhook(call(...given));
    return read.kind === "refused" ? read.reason : read.kind;
  };
  assert.equal(reasonOf({ event: "list_addition", email: ADA }, false), "unauthorized");
  for (const body of ["", "{", "1", "null"]) assert.equal(reasonOf(body), "malformed", body);
});

Deno.test("registering leaves the webhooks of other systems alone, and sends the key as bearer token", async () => {
  await using served = await serveBrevo();
  const { account, apiKey } = served;
  const foreign = {
    id: 1,
    url: "https://crm.example/hook",
    description: "CRM",
    type: "marketing",
    events: ["opened"],
  };
  account.webhooks.push({ ...foreign });
  const provider = served.provider();
  assert.deepEqual(await provider.getWebhook(), { kind: "webhook", webhook: null });
  const url = "https://own.example/hook";
  assert.equal((await provider.setWebhook({ url, secretKey: apiKey })).kind, "registered");
  assert.equal((await provider.setWebhook({ url, secretKey: apiKey })).kind, "registered");
  const [first, second, ...others] = account.webhooks;
  assert.deepEqual([first, others], [foreign, []]);
  assert.deepEqual(second!.auth, { type: "bearer", token: apiKey });
});

Deno.test("a webhook that was registered by hand at cfbe's URL is taken over, not doubled", async () => {
  await using served = await serveBrevo();
  const { account, apiKey } = served;
  const url = "https://own.example/hook";
  account.webhooks.push({ id: 1, url, description: "Newsletter", type: "marketing", events: ["opened"] });
  const set = await served.provider().setWebhook({ url, secretKey: apiKey });
  assert.deepEqual(set.kind === "registered" && [set.webhook.missing, set.webhook.surplus], [[], []]);
  assert.deepEqual(account.webhooks.map(({ id, description }) => [id, description]), [[1, "cfbe"]]);
});

Deno.test("a webhook with an earlier key is reported, and registering again gives it the new one", async () => {
  await using served = await serveBrevo();
  const { account, apiKey } = served;
  const provider = served.provider();
  const url = "https://own.example/hook";
  await provider.setWebhook({ url, secretKey: "an earlier key" });
  const stale = await provider.getWebhook();
  assert.equal(stale.kind === "webhook" && stale.webhook?.keyFits, false);
  await provider.setWebhook({ url, secretKey: apiKey });
  assert.deepEqual(account.webhooks.map(({ auth }) => auth?.token), [apiKey]);
  account.webhooks[0]!.auth!.token = "xke***";
  const masked = await provider.getWebhook();
  assert.ok(masked.kind === "webhook" && masked.webhook && !("keyFits" in masked.webhook));
});

Deno.test("a deactivated webhook is reported to send no events, and registering replaces it", async () => {
  await using served = await serveBrevo();
  const { account, apiKey } = served;
  const provider = served.provider();
  const url = "https://own.example/hook";
  await provider.setWebhook({ url, secretKey: apiKey });
  const [old] = account.webhooks;
  old!.isActive = false;
  const read = await provider.getWebhook();
  assert.ok(read.kind === "webhook" && read.webhook);
  assert.deepEqual([read.webhook.events, read.webhook.missing.length], [[], 4]);
  const set = await provider.setWebhook({ url, secretKey: apiKey });
  assert.deepEqual(set.kind === "registered" && set.webhook.missing, []);
  assert.equal(account.webhooks.length, 1);
  const [{ id, isActive, events }] = account.webhooks as [typeof account.webhooks[number]];
  assert.notEqual(id, old!.id);
  assert.deepEqual([isActive, events.length], [undefined, 4]);
});

Deno.test("an active webhook counts, also beside a deactivated one", async () => {
  await using served = await serveBrevo();
  const { account, apiKey } = served;
  const provider = served.provider();
  const url = "https://own.example/hook";
  await provider.setWebhook({ url, secretKey: apiKey });
  account.webhooks.unshift({ ...account.webhooks[0]!, id: 99, isActive: false });
  const read = await provider.getWebhook();
  assert.deepEqual(read.kind === "webhook" && read.webhook?.missing, []);
  await provider.setWebhook({ url, secretKey: apiKey });
  assert.equal(account.webhooks.length, 2);
});

Deno.test("a URL without https is refused", async () => {
  await using served = await serveBrevo();
  const set = await served.provider().setWebhook({ url: "http://own.example/hook", secretKey: "k" });
  assert.equal(set.kind, "refused");
});
