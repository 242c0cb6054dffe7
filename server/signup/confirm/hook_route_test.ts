import assert from "node:assert/strict";
import { harness, LIST } from "../../../dev/testing/harness.ts";
import { NAMESPACE } from "../../../shared/contract.ts";
import { signFormConfig } from "../../forms/public/signed_config.ts";
import { ADA, automationStep, checks, ownCheck, subscription, withAda } from "./testing/webhooks.ts";

/** `POST provider-hook`: the events of contract 7.6 to 7.8, and what each call fires and queues. */

const HOOK = `${NAMESPACE}/provider-hook`;

const table: [name: string, payload: unknown, response: unknown, status: number, queued: string[]][] = [
  ["subscribe, active, own list", subscription("subscribe"), "queued", 200, [ownCheck]],
  ["resubscribe, active, own list", subscription("resubscribe"), "queued", 200, [ownCheck]],
  [
    "the address in another spelling",
    subscription("subscribe", "active", LIST, "Ada@EXAMPLE.com"),
    "queued",
    200,
    [
      ownCheck,
    ],
  ],
  ["subscribe, another status", subscription("subscribe", "paused"), "ignored", 200, [ownCheck]],
  ["subscribe, another list", subscription("subscribe", "active", "other"), "ignored", 200, []],
  [
    "subscribe, unknown contact",
    subscription("subscribe", "active", LIST, "eve@example.com"),
    "ignored",
    200,
    [],
  ],
  ["subscribe, no address", { type: "subscribe", subscription: { status: "active" } }, "ignored", 200, []],
  ["unsubscribe, own list", subscription("unsubscribe", "unsubscribed"), "received", 200, [ownCheck]],
  ["pause-subscription, own list", subscription("pause-subscription", "paused"), "received", 200, [ownCheck]],
  ["unsubscribe, another list", subscription("unsubscribe", "unsubscribed", "other"), "ignored", 200, []],
  ["bounce of a known address", { type: "bounce", emailData: { to: ADA } }, "received", 200, [ownCheck]],
  ["complaint of a known address", { type: "complaint", emailData: { to: ADA } }, "received", 200, [
    ownCheck,
  ]],
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
  ["automation with a signup", automationStep({ email: ADA, name: "Ada" }), "queued", 200, [
    `automation ${ADA} ${LIST}`,
  ]],
  ["automation without a signup", automationStep({ email: "eve@example.com" }), "ignored", 200, []],
  ["automation without an address", automationStep({}), undefined, 400, []],
  ["automation with an invalid address", automationStep({ email: "ada" }), undefined, 400, []],
  ["automation without a contact", { automationId: "a1" }, undefined, 400, []],
  ["without type and automationId", { hello: 1 }, "ignored", 200, []],
  ["invalid JSON", "{", undefined, 400, []],
  ["not an object", "[]", undefined, 400, []],
];
for (const [name, payload, action, status, queued] of table) {
  Deno.test(`${name}: ${status} ${action ?? "not ok"}, ${queued.length} check queued`, async () => {
    await using app = await withAda();
    app.provider.calls.length = 0;
    const response = await app.hook(payload);
    assert.equal(response.status, status);
    assert.deepEqual(await response.json(), action ? { ok: true, action } : { ok: false });
    assert.deepEqual(await checks(app), queued);
    assert.deepEqual(app.provider.calls, [], "the route only queues");
  });
}

Deno.test("an automation step queues checks of all signups of the address, on any list", async () => {
  await using app = await withAda({ general: { knownLists: [{ id: "l2", name: "", doubleOptIn: true }] } });
  await app.post({ email: ADA, cfbe_cfg: signFormConfig(app.services.keyring, { list: "l2" }) });
  await app.work();
  assert.deepEqual(await (await app.hook(automationStep({ email: ADA }))).json(), {
    ok: true,
    action: "queued",
  });
  assert.deepEqual(await checks(app), [`automation ${ADA} l2`, `automation ${ADA} ${LIST}`].toSorted());
});

Deno.test("60 requests per minute from one IP are accepted, invalid ones included; the 61st gets Retry-After", async () => {
  await using app = await harness();
  for (let i = 0; i < 60; i++) {
    assert.equal((await app.hook({ type: "open" }, i % 2 ? {} : undefined)).status < 429, true);
  }
  const response = await app.hook({ type: "open" });
  assert.deepEqual([response.status, await response.json()], [429, { ok: false }]);
  assert.equal(response.headers.get("retry-after"), "60");
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
  assert.deepEqual(await checks(app), [ownCheck]);
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
  const automation = automationStep({ email: "ada" });
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
  assert.deepEqual([(await app.hook(automationStep({}))).status, (await app.hook("{")).status], [400, 400]);
  assert.deepEqual(await checks(app), [ownCheck]);
  assert.deepEqual(app.webhookEvents, []);
});

Deno.test("an unexpected error gets 503 without details, and is logged", async () => {
  await using app = await withAda();
  app.services.hooks.emit = () => {
    throw new Error("boom");
  };
  const response = await app.hook(subscription("subscribe"));
  assert.deepEqual([response.status, await response.json()], [503, { ok: false }]);
  assert.equal(app.log.of("hook.failed").length, 1);
});

Deno.test("if the database hangs, a webhook gets 503 after ten seconds", async () => {
  await using app = await withAda();
  const called = Promise.withResolvers<void>();
  app.kv.getMany = () => (called.resolve(), new Promise(() => {}));
  const pending = app.hook(subscription("subscribe"));
  await called.promise;
  await app.clock.advance(10_000);
  const response = await pending;
  assert.deepEqual([response.status, await response.json()], [503, { ok: false }]);
});

Deno.test("every response of the route has no-store", async () => {
  await using app = await harness();
  const responses = [
    await app.hook({}),
    await app.hook({}, {}),
    await app.hook("{"),
    await app.hook("x".repeat(70_000)),
  ];
  responses.push(await app.fetch(HOOK), await app.fetch(HOOK, { method: "OPTIONS" }));
  for (const response of responses) assert.equal(response.headers.get("cache-control"), "no-store");
});

for (
  const [type, status] of [
    ["unsubscribe", "unsubscribed"],
    ["pause-subscription", "paused"],
    ["bounce", "bounced"],
    ["complaint", "suppressed"],
  ] as const
) {
  for (const before of ["pending", "active"] as const) {
    Deno.test(`another event updates the list status of a signup that is ${before}: ${type}`, async () => {
      await using app = await withAda();
      await app.post({ email: "bob@example.com" });
      await app.work();
      if (before === "active") {
        app.provider.put(LIST, ADA, "active");
        await (await app.hook(subscription("subscribe"))).body?.cancel();
        await app.work();
        assert.equal((await app.record(ADA))?.status, "active");
      }
      await app.clock.advance(60_000);
      app.provider.put(LIST, ADA, status);
      const isMail = type === "bounce" || type === "complaint";
      const payload = isMail ? { type, emailData: { to: ADA } } : subscription(type, status);
      await (await app.hook(payload)).body?.cancel();
      await app.work();
      assert.equal((await app.record(ADA))?.listStatus, status);
      assert.equal((await app.record("bob@example.com"))?.listStatus, "pending");
    });
  }
}
