import assert from "node:assert/strict";
import { API_KEY, type Harness, harness, LIST, SECRET } from "../testing/harness.ts";
import { NAMESPACE } from "../../shared/contract.ts";
import { keys } from "../kv/keys.ts";
import type { JobRow } from "../jobs/row.ts";
import { signFormConfig } from "../signup/form/signed_config.ts";

/** `POST provider-hook`: the events of contract 7.6 to 7.8, and the order of decision 21. */

const HOOK = `${NAMESPACE}/provider-hook`;
const ADA = "ada@example.com";

const subscription = (type: string, status = "active", list = LIST, email = ADA) => ({
  type,
  subscription: { email, status, subscriberList: { _id: list, name: "News", private: false }, _id: "1" },
  project: { _id: "p" },
});
const step = (contact: unknown) => ({ automationId: "a1", contactId: "c1", contact });

/** Starts with a pending signup of Ada. */
async function withAda(settings = {}): Promise<Harness> {
  const app = await harness({ settings });
  await app.post({ email: ADA });
  await app.work();
  return app;
}

async function checks(app: Harness): Promise<string[]> {
  const rows = app.kv.list<JobRow>({ prefix: keys.job("").slice(0, -1) });
  const jobs = (await Array.fromAsync(rows)).map(({ value }) => value);
  return jobs.filter(({ name }) => name === "cfbe_check_signup").map(({ payload }) => {
    const { email, list, by } = payload as { email: string; list: string; by: string };
    return `${by} ${email} ${list}`;
  });
}

const own = `webhook ${ADA} ${LIST}`;
const table: [name: string, payload: unknown, answer: unknown, status: number, queued: string[]][] = [
  ["subscribe, active, own list", subscription("subscribe"), "queued", 200, [own]],
  ["resubscribe, active, own list", subscription("resubscribe"), "queued", 200, [own]],
  [
    "the address in another spelling",
    subscription("subscribe", "active", LIST, "Ada@EXAMPLE.com"),
    "queued",
    200,
    [
      own,
    ],
  ],
  ["subscribe, another status", subscription("subscribe", "paused"), "ignored", 200, [own]],
  ["subscribe, another list", subscription("subscribe", "active", "other"), "ignored", 200, []],
  [
    "subscribe, unknown contact",
    subscription("subscribe", "active", LIST, "eve@example.com"),
    "ignored",
    200,
    [],
  ],
  ["subscribe, no address", { type: "subscribe", subscription: { status: "active" } }, "ignored", 200, []],
  ["unsubscribe, own list", subscription("unsubscribe", "unsubscribed"), "received", 200, [own]],
  ["pause-subscription, own list", subscription("pause-subscription", "paused"), "received", 200, [own]],
  ["unsubscribe, another list", subscription("unsubscribe", "unsubscribed", "other"), "ignored", 200, []],
  ["bounce of a known address", { type: "bounce", emailData: { to: ADA } }, "received", 200, [own]],
  ["complaint of a known address", { type: "complaint", emailData: { to: ADA } }, "received", 200, [own]],
  [
    "bounce of an unknown address",
    { type: "bounce", emailData: { to: "eve@example.com" } },
    "received",
    200,
    [],
  ],
  ["bounce without an address", { type: "bounce" }, "received", 200, []],
  ["open", { type: "open", emailData: { to: ADA } }, "received", 200, []],
  ["an unknown type", { type: "toString" }, "received", 200, []],
  ["automation with a signup", step({ email: ADA, name: "Ada" }), "queued", 200, [
    `automation ${ADA} ${LIST}`,
  ]],
  ["automation without a signup", step({ email: "eve@example.com" }), "ignored", 200, []],
  ["automation without an address", step({}), undefined, 400, []],
  ["automation with an invalid address", step({ email: "ada" }), undefined, 400, []],
  ["automation without a contact", { automationId: "a1" }, undefined, 400, []],
  ["without type and automationId", { hello: 1 }, "ignored", 200, []],
  ["invalid JSON", "{", undefined, 400, []],
  ["not an object", "[]", undefined, 400, []],
];
for (const [name, payload, action, status, queued] of table) {
  Deno.test(`${name}: ${status} ${action ?? "not ok"}, ${queued.length} check queued`, async () => {
    await using app = await withAda();
    app.provider.calls.length = 0;
    const answer = await app.hook(payload);
    assert.equal(answer.status, status);
    assert.deepEqual(await answer.json(), action ? { ok: true, action } : { ok: false });
    assert.deepEqual(await checks(app), queued);
    assert.deepEqual(app.provider.calls, [], "the route only queues");
  });
}

Deno.test("an automation step queues checks of all signups of the address, on any list", async () => {
  await using app = await withAda({ general: { knownLists: [{ id: "l2", name: "", doubleOptIn: true }] } });
  await app.post({ email: ADA, cfbe_cfg: signFormConfig(app.services.keyring, { list: "l2" }) });
  await app.work();
  assert.deepEqual(await (await app.hook(step({ email: ADA }))).json(), { ok: true, action: "queued" });
  assert.deepEqual(await checks(app), [`automation ${ADA} l2`, `automation ${ADA} ${LIST}`].toSorted());
});

const accepted: Record<string, Record<string, string>> = {
  "the API key as bearer": { authorization: `Bearer ${API_KEY}` },
  "the API key as bearer in lower case": { authorization: `bearer ${API_KEY}` },
  "the API key in X-Forwarded-Authorization": { "x-forwarded-authorization": `Bearer ${API_KEY}` },
  "the API key in X-Forwarded-Authorization beside the proxy's own Authorization": {
    authorization: "Basic cHJveHk6cHJveHk=",
    "x-forwarded-authorization": `Bearer ${API_KEY}`,
  },
  "the webhook secret": { "x-cfbe-secret": SECRET },
};
for (const [name, headers] of Object.entries(accepted)) {
  Deno.test(`both kinds of payload are authenticated by ${name}`, async () => {
    await using app = await withAda();
    for (const payload of [subscription("subscribe"), step({ email: ADA })]) {
      assert.equal((await app.hook(payload, headers)).status, 200);
    }
  });
}

const rejected: Record<string, string>[] = [
  {},
  { authorization: "" },
  { authorization: "Bearer" },
  { authorization: "Bearer " },
  { authorization: API_KEY },
  { authorization: `Basic ${API_KEY}` },
  { authorization: `Bearer ${API_KEY}x` },
  { authorization: `Bearer ${SECRET}` },
  { "x-cfbe-secret": "" },
  { "x-cfbe-secret": API_KEY },
  { "x-cfbe-secret": SECRET.toUpperCase() },
  { "x-webhook-secret": SECRET },
];
Deno.test("any other credential gets 401, and the payload is not read", async () => {
  await using app = await withAda();
  for (const headers of rejected) {
    const answer = await app.hook(subscription("subscribe"), headers);
    assert.deepEqual([answer.status, await answer.json()], [401, { ok: false }], JSON.stringify(headers));
  }
  assert.deepEqual(await checks(app), []);
  assert.deepEqual(app.webhookEvents, []);
});

Deno.test("a key and a secret that are not set match no credential, not even an empty one", async () => {
  await using app = await harness({ configured: false });
  for (const headers of [...rejected, ...Object.values(accepted), { authorization: "Bearer undefined" }]) {
    assert.equal((await app.hook({ type: "open" }, headers)).status, 401, JSON.stringify(headers));
  }
});

Deno.test("errors are checked in the order 429, 401, 413, 400", async () => {
  await using app = await harness();
  const large = "x".repeat(64 * 1024 + 1);
  const status = async (payload: string, headers?: Record<string, string>) =>
    (await app.hook(payload, headers)).status;
  assert.equal(await status(large, {}), 401);
  assert.equal(await status(large), 413);
  assert.equal(await status(large.slice(1)), 400);
  for (let i = 3; i < 60; i++) assert.equal(await status("", {}), 401);
  assert.equal(await status(large, {}), 429);
});

Deno.test("60 requests per minute from one IP are accepted, invalid ones included; the 61st gets Retry-After", async () => {
  await using app = await harness();
  for (let i = 0; i < 60; i++) {
    assert.equal((await app.hook({ type: "open" }, i % 2 ? {} : undefined)).status < 429, true);
  }
  const answer = await app.hook({ type: "open" });
  assert.deepEqual([answer.status, await answer.json()], [429, { ok: false }]);
  assert.equal(answer.headers.get("retry-after"), "60");
  assert.equal((await app.hook({ type: "open" }, undefined, "192.0.2.2")).status, 200);
  await app.clock.advance(60_000);
  assert.equal((await app.hook({ type: "open" })).status, 200);
});

Deno.test("a repeated webhook causes one check and one confirmation", async () => {
  await using app = await withAda();
  app.provider.put(LIST, ADA, "active");
  for (let i = 0; i < 2; i++) {
    assert.deepEqual(await (await app.hook(subscription("subscribe"))).json(), {
      ok: true,
      action: "queued",
    });
  }
  assert.deepEqual(await checks(app), [own]);
  await app.work();
  const confirmed = await app.record(ADA);
  assert.deepEqual(confirmed?.confirmed, { at: app.clock.now(), by: "webhook" });
  await app.clock.advance(1_000);
  await app.hook(subscription("subscribe"));
  await app.work();
  assert.deepEqual(await app.record(ADA), confirmed);
});

Deno.test("a forged webhook confirms nothing, because the check reads the status from the provider", async () => {
  await using app = await withAda();
  await app.hook(subscription("subscribe"));
  await app.work();
  assert.equal((await app.record(ADA))?.status, "pending");
});

Deno.test("every authenticated webhook fires cfbe_webhook_received, with its payload and action", async () => {
  await using app = await withAda();
  await app.hook(subscription("subscribe"));
  await app.hook({ type: "open", more: [1] });
  assert.deepEqual(app.webhookEvents.map(({ action }) => action), ["queued", "received"]);
  assert.deepEqual(app.webhookEvents[1]!.payload, { type: "open", more: [1] });
});

Deno.test("an authenticated webhook that gets 400 or 413 fires cfbe_webhook_received, with a reason", async () => {
  await using app = await withAda();
  const automation = step({ email: "ada" });
  for (const sent of [automation, "{", "[]", "x".repeat(64 * 1024 + 1)]) await app.hook(sent);
  const at = app.clock.now();
  assert.deepEqual(app.webhookEvents, [
    { payload: automation, action: "rejected", reason: "no_email", at },
    { payload: {}, action: "rejected", reason: "not_json", at },
    { payload: {}, action: "rejected", reason: "not_json", at },
    { payload: {}, action: "rejected", reason: "too_large", at },
  ]);
});

Deno.test("a webhook that is not authenticated or over the limit fires nothing", async () => {
  await using app = await harness();
  for (let i = 0; i < 60; i++) await app.hook("{", {});
  assert.equal((await app.hook({ type: "open" })).status, 429);
  assert.deepEqual(app.webhookEvents, []);
});

Deno.test("with the module off, the route works the same, and only cfbe_webhook_received does not fire", async () => {
  await using app = await withAda({ general: { modules: { webhooks: false } } });
  assert.deepEqual(await (await app.hook(subscription("subscribe"))).json(), { ok: true, action: "queued" });
  assert.deepEqual([(await app.hook(step({}))).status, (await app.hook("{")).status], [400, 400]);
  assert.deepEqual(await checks(app), [own]);
  assert.deepEqual(app.webhookEvents, []);
});

Deno.test("an unexpected error gets 503 without details, and is logged", async () => {
  await using app = await withAda();
  app.services.hooks.act = () => {
    throw new Error("boom");
  };
  const answer = await app.hook(subscription("subscribe"));
  assert.deepEqual([answer.status, await answer.json()], [503, { ok: false }]);
  assert.equal(app.log.of("hook.failed").length, 1);
});

Deno.test("if the database hangs, a webhook gets 503 after ten seconds", async () => {
  await using app = await withAda();
  const called = Promise.withResolvers<void>();
  app.kv.getMany = () => (called.resolve(), new Promise(() => {}));
  const pending = app.hook(subscription("subscribe"));
  await called.promise;
  await app.clock.advance(10_000);
  const answer = await pending;
  assert.deepEqual([answer.status, await answer.json()], [503, { ok: false }]);
});

Deno.test("every response of the route has no-store", async () => {
  await using app = await harness();
  const answers = [
    await app.hook({}),
    await app.hook({}, {}),
    await app.hook("{"),
    await app.hook("x".repeat(70_000)),
  ];
  answers.push(await app.fetch(HOOK), await app.fetch(HOOK, { method: "OPTIONS" }));
  for (const answer of answers) assert.equal(answer.headers.get("cache-control"), "no-store");
});
