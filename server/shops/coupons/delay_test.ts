/** Delays between the confirmation and the email with the code: outages, deactivation, missing settings. */
import assert from "node:assert/strict";
import { keys } from "../../platform/kv/keys.ts";
import type { PartialSettings } from "../../settings/schema/schema.ts";
import { HOUR_MS } from "../systems/testing/checkout.ts";
import { readRow } from "../../platform/kv/key.ts";
import { createMarkers } from "../mail/markers.ts";
import { couponKey } from "./row.ts";
import { ANN, type CouponMail, DAY_MS, startCoupons } from "./testing/coupon_fixture.ts";

Deno.test("a coupon waits for missing settings, and its job names them", async () => {
  const missing: [PartialSettings, RegExp][] = [
    [{ coupon: { template: "" } }, /template/],
    [{ checkout: { shopUrl: "" } }, /shopUrl/],
    [{ checkout: { secret: "" } }, /secret/],
  ];
  for (const [settings, names] of missing) {
    await using t = await startCoupons(settings);
    await t.subscribe(ANN);
    assert.match((await t.notes()).join(), names);
    assert.equal(t.shop.requests, 0);
  }
});

for (const mode of ["503", "429", "reset", "403"]) {
  Deno.test(`a provider outage (${mode}) delays the email, and the shop creates one code anyway`, async () => {
    await using t = await startCoupons();
    t.shop.behavior = "down";
    await t.subscribe(ANN);
    t.shop.behavior = "ok";
    await t.checkout.setFault(mode);
    await t.next();
    assert.deepEqual(await t.mails(ANN), []);
    await t.checkout.setFault("none");
    await t.next();
    assert.equal((await t.mails(ANN)).length, 1);
    assert.equal(t.shop.coupons.size, 1);
  });
}

Deno.test("a person who unsubscribes during a shop outage gets no email", async () => {
  await using t = await startCoupons();
  t.shop.behavior = "down";
  await t.subscribe(ANN);
  const { apiUrl, provision } = t.checkout.program.sandbox!;
  const { project, apiKey, list } = await provision();
  const unsubscribed = await fetch(
    `${apiUrl}/v1/projectId/${project}/subscriber-lists/${list}/subscribers/${ANN}`,
    {
      method: "PATCH",
      headers: { authorization: `Bearer ${apiKey}`, "content-type": "application/json" },
      body: JSON.stringify({ status: "paused", pausedUntil: "2199-01-01T00:00:00Z" }),
    },
  );
  await unsubscribed.body?.cancel();
  t.shop.behavior = "ok";
  await t.next();
  assert.deepEqual([await t.mails(ANN), await t.notes()], [[], []]);
});

Deno.test("a coupon that expires before the shop has created it is given up, and its address forgotten", async () => {
  await using t = await startCoupons({ coupon: { validDays: 1 } });
  t.shop.behavior = "down";
  await t.subscribe(ANN);
  await t.checkout.runFor(2.5 * DAY_MS);
  t.shop.behavior = "ok";
  await t.checkout.runFor(DAY_MS);
  const { kv, keyring } = t.checkout.program.services;
  const row = await readRow(kv, couponKey(createMarkers(keyring).mailbox(ANN)));
  assert.deepEqual([row?.state, row?.to, row?.neverCreated], ["over", undefined, true]);
  assert.deepEqual([await t.mails(ANN), t.shop.coupons.size, await t.notes()], [[], 0, []]);
  assert.deepEqual((await t.checkout.program.queue.list({ state: "dead" })).rows, []);
});

Deno.test("after a deactivation between code and email, the email has the same code", async () => {
  await using t = await startCoupons();
  t.shop.behavior = "loses the response";
  await t.subscribe(ANN);
  const { activation } = t.checkout.program.services;
  await activation.deactivate();
  t.shop.behavior = "ok";
  await t.checkout.runFor(6 * HOUR_MS);
  assert.deepEqual(await t.mails(ANN), []);
  await activation.activate();
  await t.checkout.runFor(0);
  assert.equal((await t.mails(ANN)).length, 1);
  assert.equal(t.shop.coupons.size, 1);
});

Deno.test("afterward, coupon rows contain no address, and the log contains no address, code or key", async () => {
  await using t = await startCoupons({}, "woocommerce");
  t.shop.behavior = "rejects the key";
  await t.subscribe(ANN);
  t.shop.behavior = "ok";
  await t.next();
  const [{ code }] = await t.mails(ANN) as [CouponMail];
  const { kv } = t.checkout.program.services;
  for await (const { key, value } of kv.list({ prefix: keys.markerAll("coupon") })) {
    assert.ok(!JSON.stringify([key, value]).includes("gmail"));
  }
  for (const secret of [ANN, code, "ck_0123", "cs_89ab"]) {
    assert.ok(!t.checkout.program.lines.some((line) => line.includes(secret)), secret);
  }
});
