/** From the signup to the code in the inbox, valid in the shop: the real program, and shops that speak HTTP. */
import assert from "node:assert/strict";
import { keys } from "../../kv/keys.ts";
import { statusOf } from "../../ops/operations.ts";
import type { PartialSettings } from "../../settings/schema.ts";
import type { SignupRecord } from "../../signup/record.ts";
import { eventually } from "../../testing/eventually.ts";
import { SHOP_KINDS, type ShopKind } from "../port.ts";
import { type Checkout, HOUR_MS, MINUTE_MS, startCheckout } from "../testing/checkout.ts";
import { type ShopDouble, startShop } from "../testing/shop_double.ts";

const ANN = "ann@gmail.com";
const DAY_MS = 24 * HOUR_MS;

interface CouponMail {
  code: string;
  kind: string;
  amount: number;
  expiresOn: string;
  expiresAt: string;
}

interface Stage extends AsyncDisposable {
  checkout: Checkout;
  shop: ShopDouble;
  signUp(email: string): Promise<void>;
  confirm(email: string): Promise<void>;
  /** Both, and what follows from it without time passing. */
  subscribe(email: string): Promise<void>;
  mails(email: string): Promise<CouponMail[]>;
  /** The coupon's job has its next attempt; the clock stands still while it runs. */
  next(): Promise<void>;
  /** Notes of the coupon's job that waits. */
  notes(): Promise<string[]>;
}

async function stage(settings: PartialSettings = {}, kind: ShopKind = "generic"): Promise<Stage> {
  let now = () => Date.now();
  const shop = startShop(kind, () => now());
  const checkout = await startCheckout({
    ...settings,
    general: { ...settings.general, modules: { coupons: true, ...settings.general?.modules } },
    checkout: { ...shop.settings, ...settings.checkout },
    coupon: { prefix: "hello", amount: 15, validDays: 14, ...settings.coupon },
  });
  now = () => checkout.clock.now();
  const { program } = checkout;
  const { services, sandbox } = program;
  const list = services.settings.current().general.defaultList;
  const status = async (email: string) =>
    (await services.kv.get<SignupRecord>(keys.signup(email, list))).value?.status;
  let ip = 0;
  const here: Stage = {
    checkout,
    shop,
    async signUp(email) {
      const answer = await program.subscribe({ email }, `192.0.2.${++ip}`);
      assert.equal(answer.status, 200);
      await answer.body?.cancel();
      await eventually("it is pending", async () => await status(email) === "pending");
    },
    async confirm(email) {
      await (await fetch((await sandbox!.lastMailTo(email))!.link)).body?.cancel();
      await sandbox!.idle();
      await eventually("it is active", async () => await status(email) === "active");
    },
    async subscribe(email) {
      await here.signUp(email);
      await here.confirm(email);
      await checkout.pass(0);
    },
    async mails(email) {
      const answer = await fetch(`${program.baseUrl}/sandbox/inbox.json?email=${encodeURIComponent(email)}`);
      const { mails } = await answer.json() as { mails: { kind: string; text: string }[] };
      return mails.filter(({ kind }) => kind === "transactional").map(({ text }) => JSON.parse(text));
    },
    async next() {
      // What else is going on, such as the check of a webhook, comes first.
      await sandbox!.idle();
      await checkout.pass(0);
      const due = (await program.queue.nextDue())!;
      await checkout.pass(Math.max(0, due - checkout.clock.now()));
    },
    async notes() {
      const { rows } = await program.queue.list({ state: "waiting" });
      return rows.filter(({ name }) => name === "cfbe_coupon").map(({ history }) => history.at(-1)!.note);
    },
    async [Symbol.asyncDispose]() {
      await checkout[Symbol.asyncDispose]();
      await shop[Symbol.asyncDispose]();
    },
  };
  return here;
}

for (const kind of SHOP_KINDS) {
  Deno.test(`${kind}: who confirms gets one code, which the shop takes once for what the mail says`, async () => {
    await using here = await stage({}, kind);
    await here.signUp(ANN);
    await here.checkout.pass(HOUR_MS);
    assert.deepEqual([await here.mails(ANN), here.shop.coupons.size], [[], 0], "not before the confirmation");
    await here.confirm(ANN);
    await here.checkout.pass(0);
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
    const [status] = (await statusOf(here.checkout.program.services, "A.nn@gmail.com"))!;
    assert.equal(status, undefined, "another spelling is nobody here");
    const [known] = (await statusOf(here.checkout.program.services, ANN))!;
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
  await here.checkout.pass(2 * DAY_MS);
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
  await before.checkout.pass(MINUTE_MS);
  assert.equal(before.shop.asked, 0);
});

Deno.test("switched on, it gives to who becomes active from then on, and not to who was", async () => {
  await using here = await stage({ general: { modules: { coupons: false } } });
  await here.subscribe(ANN);
  await here.signUp("bob@example.com");
  // The config file fixes the module: what an admin does with it is done underneath.
  here.checkout.program.services.settings.current().general.modules.coupons = true;
  await here.confirm("bob@example.com");
  await here.checkout.pass(DAY_MS);
  assert.deepEqual(await here.mails(ANN), []);
  assert.equal((await here.mails("bob@example.com")).length, 1);
});

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
    await here.checkout.faults(mode);
    await here.next();
    assert.deepEqual(await here.mails(ANN), []);
    await here.checkout.faults("none");
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
  await here.checkout.pass(6 * HOUR_MS);
  assert.deepEqual(await here.mails(ANN), []);
  await activation.activate();
  await here.checkout.pass(0);
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
  for await (const { key, value } of kv.list({ prefix: keys.markAll("coupon") })) {
    assert.ok(!JSON.stringify([key, value]).includes("gmail"));
  }
  for (const secret of [ANN, code, "ck_0123", "cs_89ab"]) {
    assert.ok(!here.checkout.program.lines.some((line) => line.includes(secret)), secret);
  }
});
