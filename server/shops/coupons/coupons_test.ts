/** From the signup to the emailed code: the real program and test shops, over HTTP. */
import assert from "node:assert/strict";
import { keys } from "../../platform/kv/keys.ts";
import { readProblems } from "../../operations/checks/registry.ts";
import { signupStatuses } from "../../operations/remote/signup_status.ts";
import { SHOP_KINDS } from "../../../shared/shop_kinds.ts";
import { HOUR_MS, MINUTE_MS } from "../systems/testing/checkout.ts";
import { ANN, DAY_MS, startCoupons } from "./testing/coupon_fixture.ts";

Deno.test("a person whose confirmation the delivery of a second signup notices first gets a code", async () => {
  await using t = await startCoupons();
  const { program } = t.checkout;
  const faults = await fetch(`${program.baseUrl}/sandbox/faults`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ webhooks: "lose" }),
  });
  await faults.body?.cancel();
  await t.signUp(ANN);
  await (await fetch((await program.sandbox!.lastMailTo(ANN))!.link)).body?.cancel();
  await (await program.subscribe({ email: ANN }, "192.0.2.99")).body?.cancel();
  await t.checkout.runFor(MINUTE_MS);
  assert.equal((await t.mails(ANN)).length, 1);
});

for (const kind of SHOP_KINDS) {
  Deno.test(`${kind}: a person who confirms gets one code, which the shop accepts once, with the value in the email`, async () => {
    await using t = await startCoupons({}, kind);
    await t.signUp(ANN);
    await t.checkout.runFor(HOUR_MS);
    assert.deepEqual([await t.mails(ANN), t.shop.coupons.size], [[], 0], "not before the confirmation");
    await t.confirm(ANN);
    await t.checkout.runFor(0);
    const [mail, ...more] = await t.mails(ANN);
    assert.deepEqual(more, []);
    const { code, ...rest } = mail!;
    assert.match(code, /^HELLO(-[CDFGHJKMNPQRTVWX3479]{5}){3}$/);
    assert.deepEqual(rest, {
      kind: "percent",
      amount: 15,
      expiresOn: "2025-01-15",
      expiresAt: "2025-01-16T12:00:00.000Z",
    });
    const used = t.shop.redeem(code);
    assert.deepEqual([used?.kind, used?.amount, used?.expiresAt], ["percent", 15, Date.UTC(2025, 0, 16, 12)]);
    assert.equal(t.shop.redeem(code), undefined, "one code, one order");
    // The status shows the code to an admin.
    const [status] = (await signupStatuses(t.checkout.program.services, "A.nn@gmail.com"))!;
    assert.equal(status, undefined, "another spelling is another person");
    const [known] = (await signupStatuses(t.checkout.program.services, ANN))!;
    assert.deepEqual([known?.coupon?.code, known?.coupon?.mail], [code, "sent"]);
  });

  Deno.test(`${kind}: a shop outage or a lost response delays the code but does not change it`, async () => {
    await using t = await startCoupons({ coupon: { kind: "fixed", amount: 5 } }, kind);
    for (
      const behavior of [
        "down",
        "busy",
        "loses the request",
        "loses the response",
        "rejects the key",
        "garbage",
      ] as const
    ) {
      t.shop.behavior = behavior;
      if (behavior === "down") await t.subscribe(ANN);
      else await t.next();
      assert.deepEqual(await t.mails(ANN), [], behavior);
      assert.equal((await t.notes()).length, 1, behavior);
    }
    t.shop.behavior = "ok";
    await t.next();
    const [mail, ...more] = await t.mails(ANN);
    assert.deepEqual([more, t.shop.coupons.size], [[], 1]);
    assert.equal(t.shop.redeem(mail!.code)?.amount, 5);
  });
}

Deno.test("another spelling of the mailbox and a signup after erasure get no second code", async () => {
  await using t = await startCoupons();
  await t.subscribe(ANN);
  await t.subscribe("a.n.n+again@googlemail.com");
  // Erased, then signed up again: only the marker remains.
  const { kv, settings } = t.checkout.program.services;
  const { defaultList } = settings.current().general;
  await kv.atomic().delete(keys.signup(ANN, defaultList)).delete(keys.sandboxSubscriber(defaultList, ANN))
    .commit();
  await t.checkout.runFor(2 * DAY_MS);
  await t.subscribe(ANN);
  assert.equal((await t.mails(ANN)).length, 1);
  assert.deepEqual(await t.mails("a.n.n+again@googlemail.com"), []);
  assert.equal(t.shop.coupons.size, 1);
});

Deno.test("if two spellings of a mailbox confirm during a shop outage, one gets the code", async () => {
  await using t = await startCoupons();
  t.shop.behavior = "down";
  await t.subscribe(ANN);
  await t.subscribe("an.n@gmail.com");
  t.shop.behavior = "ok";
  await t.next();
  const all = [...await t.mails(ANN), ...await t.mails("an.n@gmail.com")];
  assert.deepEqual([all.length, t.shop.coupons.size], [1, 1]);
  assert.ok(t.shop.redeem(all[0]!.code));
});

Deno.test("nobody gets a code with the module off, on another list, or if already subscribed", async () => {
  await using off = await startCoupons({ general: { modules: { coupons: false } } });
  await off.subscribe(ANN);
  assert.equal(off.shop.requests, 0);

  await using other = await startCoupons({ coupon: { list: "another list" } });
  await other.subscribe(ANN);
  assert.equal(other.shop.requests, 0);

  await using existing = await startCoupons();
  const { apiUrl, provision } = existing.checkout.program.sandbox!;
  const { project, apiKey, list } = await provision();
  const added = await fetch(
    `${apiUrl}/v1/projectId/${project}/subscriber-lists/${list}/subscribers`,
    {
      method: "POST",
      headers: { authorization: `Bearer ${apiKey}`, "content-type": "application/json" },
      body: JSON.stringify({ email: ANN, status: "active" }),
    },
  );
  assert.ok(added.ok, await added.text());
  await (await existing.checkout.program.subscribe({ email: ANN })).body?.cancel();
  await existing.checkout.runFor(MINUTE_MS);
  assert.equal(existing.shop.requests, 0);
});

Deno.test("after the module is turned on, only new subscribers get a code", async () => {
  await using t = await startCoupons({ general: { modules: { coupons: false } } });
  await t.subscribe(ANN);
  await t.signUp("bob@example.com");
  // The config file sets the module, so an admin's change is simulated in memory.
  t.checkout.program.services.settings.current().general.modules.coupons = true;
  await t.confirm("bob@example.com");
  await t.checkout.runFor(DAY_MS);
  assert.deepEqual(await t.mails(ANN), []);
  assert.equal((await t.mails("bob@example.com")).length, 1);
});

Deno.test("while the shop creates no codes, the problems say so with the cause, until it creates one", async () => {
  await using t = await startCoupons();
  const { services } = t.checkout.program;
  const problem = async () =>
    (await readProblems(services, ({ overview }) => overview)).find(({ id }) => id === "coupons.failing")
      ?.what;
  assert.equal(await problem(), undefined);
  t.shop.behavior = "rejects the key";
  await t.subscribe(ANN);
  assert.match((await problem())!, /^Discount codes can't be created: the shop responded with 401/);
  const [waiting] = (await signupStatuses(services, ANN))!;
  assert.equal(waiting?.coupon?.created, false);
  t.shop.behavior = "ok";
  await t.next();
  assert.equal(await problem(), undefined);
  const [created] = (await signupStatuses(services, ANN))!;
  assert.equal(created?.coupon?.created, true);
});
