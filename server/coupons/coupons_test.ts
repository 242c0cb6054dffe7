/** From the signup to the code in the inbox, valid in the shop: the real program, and shops that speak HTTP. */
import assert from "node:assert/strict";
import { keys } from "../kv/keys.ts";
import { signupStatuses } from "../ops/signup_status.ts";
import { SHOP_KINDS } from "../../shared/shop_kinds.ts";
import { HOUR_MS, MINUTE_MS } from "../shop/testing/checkout.ts";
import { ANN, DAY_MS, stage } from "./testing/coupon_stage.ts";

for (const kind of SHOP_KINDS) {
  Deno.test(`${kind}: who confirms gets one code, which the shop takes once for what the mail says`, async () => {
    await using here = await stage({}, kind);
    await here.signUp(ANN);
    await here.checkout.runFor(HOUR_MS);
    assert.deepEqual([await here.mails(ANN), here.shop.coupons.size], [[], 0], "not before the confirmation");
    await here.confirm(ANN);
    await here.checkout.runFor(0);
    const [mail, ...more] = await here.mails(ANN);
    assert.deepEqual(more, []);
    const { code, ...rest } = mail!;
    assert.match(code, /^HELLO(-[CDFGHJKMNPQRTVWX3479]{5}){3}$/);
    assert.deepEqual(rest, {
      kind: "percent",
      amount: 15,
      expiresOn: "2025-01-15",
      expiresAt: "2025-01-16T12:00:00.000Z",
    });
    const used = here.shop.redeem(code);
    assert.deepEqual([used?.kind, used?.amount, used?.expiresAt], ["percent", 15, Date.UTC(2025, 0, 16, 12)]);
    assert.equal(here.shop.redeem(code), undefined, "one code, one order");
    // For whoever has lost it, or never got it.
    const [status] = (await signupStatuses(here.checkout.program.services, "A.nn@gmail.com"))!;
    assert.equal(status, undefined, "another spelling is nobody here");
    const [known] = (await signupStatuses(here.checkout.program.services, ANN))!;
    assert.deepEqual([known?.coupon?.code, known?.coupon?.mail], [code, "sent"]);
  });

  Deno.test(`${kind}: a shop that is down, or loses its answer, delays the code and does not change it`, async () => {
    await using here = await stage({ coupon: { kind: "fixed", amount: 5 } }, kind);
    for (
      const mood of [
        "down",
        "busy",
        "loses the request",
        "loses the answer",
        "refuses keys",
        "garbage",
      ] as const
    ) {
      here.shop.mood = mood;
      if (mood === "down") await here.subscribe(ANN);
      else await here.next();
      assert.deepEqual(await here.mails(ANN), [], mood);
      assert.equal((await here.notes()).length, 1, mood);
    }
    here.shop.mood = "well";
    await here.next();
    const [mail, ...more] = await here.mails(ANN);
    assert.deepEqual([more, here.shop.coupons.size], [[], 1]);
    assert.equal(here.shop.redeem(mail!.code)?.amount, 5);
  });
}

Deno.test("another spelling of the mailbox, and one that left and came back, get no second code", async () => {
  await using here = await stage();
  await here.subscribe(ANN);
  await here.subscribe("a.n.n+again@googlemail.com");
  // Erased here, and signed up anew: only the mark is left to know it.
  const { kv, settings } = here.checkout.program.services;
  const { defaultList } = settings.current().general;
  await kv.atomic().delete(keys.signup(ANN, defaultList)).delete(keys.sandboxSubscriber(defaultList, ANN))
    .commit();
  await here.checkout.runFor(2 * DAY_MS);
  await here.subscribe(ANN);
  assert.equal((await here.mails(ANN)).length, 1);
  assert.deepEqual(await here.mails("a.n.n+again@googlemail.com"), []);
  assert.equal(here.shop.coupons.size, 1);
});

Deno.test("of two spellings that confirm while the shop is down, one gets the code", async () => {
  await using here = await stage();
  here.shop.mood = "down";
  await here.subscribe(ANN);
  await here.subscribe("an.n@gmail.com");
  here.shop.mood = "well";
  await here.next();
  const all = [...await here.mails(ANN), ...await here.mails("an.n@gmail.com")];
  assert.deepEqual([all.length, here.shop.coupons.size], [1, 1]);
  assert.ok(here.shop.redeem(all[0]!.code));
});

Deno.test("with the module off, on another list, or subscribed from before, nobody gets one", async () => {
  await using off = await stage({ general: { modules: { coupons: false } } });
  await off.subscribe(ANN);
  assert.equal(off.shop.asked, 0);

  await using other = await stage({ coupon: { list: "another list" } });
  await other.subscribe(ANN);
  assert.equal(other.shop.asked, 0);

  await using before = await stage();
  const { settings } = before.checkout.program.services;
  const { projectId, apiKey, defaultList } = settings.current().general;
  const there = await fetch(
    `${
      before.checkout.program.sandbox!.apiUrl
    }/v1/projectId/${projectId}/subscriber-lists/${defaultList}/subscribers`,
    {
      method: "POST",
      headers: { authorization: `Bearer ${apiKey}`, "content-type": "application/json" },
      body: JSON.stringify({ email: ANN, status: "active" }),
    },
  );
  assert.ok(there.ok, await there.text());
  await (await before.checkout.program.subscribe({ email: ANN })).body?.cancel();
  await before.checkout.runFor(MINUTE_MS);
  assert.equal(before.shop.asked, 0);
});

Deno.test("switched on, it gives to who becomes active from then on, and not to who was", async () => {
  await using here = await stage({ general: { modules: { coupons: false } } });
  await here.subscribe(ANN);
  await here.signUp("bob@example.com");
  // The config file fixes the module: what an admin does with it is done underneath.
  here.checkout.program.services.settings.current().general.modules.coupons = true;
  await here.confirm("bob@example.com");
  await here.checkout.runFor(DAY_MS);
  assert.deepEqual(await here.mails(ANN), []);
  assert.equal((await here.mails("bob@example.com")).length, 1);
});
