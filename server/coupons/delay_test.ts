/** Between the confirmation and the code in the inbox: what is down, switched off or not yet configured. */
import assert from "node:assert/strict";
import { keys } from "../kv/keys.ts";
import type { PartialSettings } from "../settings/schema.ts";
import { HOUR_MS } from "../shop/testing/checkout.ts";
import { ANN, type CouponMail, stage } from "./testing/coupon_stage.ts";

Deno.test("what is not configured is waited for, and named", async () => {
  const missing: [PartialSettings, RegExp][] = [
    [{ coupon: { template: "" } }, /template/],
    [{ checkout: { shopUrl: "" } }, /shopUrl/],
    [{ checkout: { secret: "" } }, /secret/],
  ];
  for (const [settings, names] of missing) {
    await using here = await stage(settings);
    await here.subscribe(ANN);
    assert.match((await here.notes()).join(), names);
    assert.equal(here.shop.asked, 0);
  }
});

for (const mode of ["503", "429", "reset", "403"]) {
  Deno.test(`a provider that is down (${mode}) delays the mail, and the shop makes one code all the same`, async () => {
    await using here = await stage();
    here.shop.mood = "down";
    await here.subscribe(ANN);
    here.shop.mood = "well";
    await here.checkout.setFault(mode);
    await here.next();
    assert.deepEqual(await here.mails(ANN), []);
    await here.checkout.setFault("none");
    await here.next();
    assert.equal((await here.mails(ANN)).length, 1);
    assert.equal(here.shop.coupons.size, 1);
  });
}

Deno.test("who left the list before the shop was back gets no mail", async () => {
  await using here = await stage();
  here.shop.mood = "down";
  await here.subscribe(ANN);
  const { settings } = here.checkout.program.services;
  const { defaultList, projectId, apiKey } = settings.current().general;
  const left = await fetch(
    `${
      here.checkout.program.sandbox!.apiUrl
    }/v1/projectId/${projectId}/subscriber-lists/${defaultList}/subscribers/${ANN}`,
    {
      method: "PATCH",
      headers: { authorization: `Bearer ${apiKey}`, "content-type": "application/json" },
      body: JSON.stringify({ status: "paused", pausedUntil: "2199-01-01T00:00:00Z" }),
    },
  );
  await left.body?.cancel();
  here.shop.mood = "well";
  await here.next();
  assert.deepEqual([await here.mails(ANN), await here.notes()], [[], []]);
});

Deno.test("switched off between code and mail, the service goes on with the same code once it is on again", async () => {
  await using here = await stage();
  here.shop.mood = "loses the answer";
  await here.subscribe(ANN);
  const { activation } = here.checkout.program.services;
  await activation.deactivate();
  here.shop.mood = "well";
  await here.checkout.runFor(6 * HOUR_MS);
  assert.deepEqual(await here.mails(ANN), []);
  await activation.activate();
  await here.checkout.runFor(0);
  assert.equal((await here.mails(ANN)).length, 1);
  assert.equal(here.shop.coupons.size, 1);
});

Deno.test("afterwards only HMACs know of it, and no line of the log names address, code or key", async () => {
  await using here = await stage({}, "woocommerce");
  here.shop.mood = "refuses keys";
  await here.subscribe(ANN);
  here.shop.mood = "well";
  await here.next();
  const [{ code }] = await here.mails(ANN) as [CouponMail];
  const { kv } = here.checkout.program.services;
  for await (const { key, value } of kv.list({ prefix: keys.markerAll("coupon") })) {
    assert.ok(!JSON.stringify([key, value]).includes("gmail"));
  }
  for (const secret of [ANN, code, "ck_0123", "cs_89ab"]) {
    assert.ok(!here.checkout.program.lines.some((line) => line.includes(secret)), secret);
  }
});
