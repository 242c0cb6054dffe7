import assert from "node:assert/strict";
import fc from "fast-check";
import { freePort } from "../../../dev/free_port.ts";
import { ORDER_STATUSES } from "../../../shared/order_statuses.ts";
import { type OrderInput, OrderSchema } from "./order.ts";
import type { Coupon, Delivery, Shop } from "./port.ts";
import { SAMPLE_ORDER, type ShopDouble } from "./testing/shop_double.ts";

/** An adapter under test, and the test shop that it calls over HTTP. */
export interface ShopHarness extends AsyncDisposable {
  shop: Shop;
  double: ShopDouble;
  /** Returns the adapter with some settings changed. */
  adapter(settings: Partial<ShopDouble["settings"]>): Shop;
  /** The time of both clocks, in Unix milliseconds. */
  now(): number;
}

type Step = (harness: ShopHarness) => Promise<void>;

const DAY_MS = 86_400_000;
const SESSION = "s".repeat(22);

const couponOf = (now: number, changes: Partial<Coupon> = {}): Coupon => ({
  code: "HELLO-7K4M9QXW2RTPC",
  kind: "percent",
  amount: 12.5,
  createdAt: now,
  expiresAt: now + 30 * DAY_MS,
  ...changes,
});

/** The guarantees of `port.ts` by name. Every adapter must meet all of them. */
const GUARANTEES: Readonly<Record<string, Step>> = {
  "only what the shop signed is verified": async ({ shop, double, adapter }) => {
    const valid = double.delivery();
    assert.deepEqual(shop.verify(valid), { kind: "verified" });
    const forged: Delivery[] = [
      { ...valid, body: new TextEncoder().encode(`${valid.text} `) },
      { ...valid, body: new Uint8Array() },
      { ...valid, headers: new Headers() },
      { ...valid, headers: changed(valid.headers, (value) => value.slice(0, -1)) },
      { ...valid, headers: changed(valid.headers, () => "") },
    ];
    for (const delivery of forged) assert.equal(shop.verify(delivery).kind, "refused");
    for (const secret of ["", "another secret that is long"]) {
      assert.equal(adapter({ secret }).verify(valid).kind, "refused", secret);
    }
    await Promise.resolve();
  },

  "verifying and reading never throw, and unsigned input is never verified": async (h) => {
    const headers = h.double.delivery().headers;
    fc.assert(fc.property(fc.oneof(fc.json({ maxDepth: 3 }), fc.string()), (text) => {
      const delivery = { headers, body: new TextEncoder().encode(text) };
      assert.notEqual(h.shop.verify(delivery).kind, "verified");
      assert.notEqual(h.shop.read(delivery).kind, "order");
    }));
    await Promise.resolve();
  },

  "an order is read with its buyer, items, total, times in the shop's time zone, and opt-in": async (
    { shop, double },
  ) => {
    const read = shop.read(double.delivery({ optIn: true, session: SESSION, ip: "198.51.100.7" }));
    assert.ok(read.kind === "order", JSON.stringify(read));
    const { number: _, locale: __, ...order } = read.order;
    assert.deepEqual(order, {
      id: "4711",
      status: "processing",
      email: "ann@example.com",
      name: "Ann Lee",
      total: 29.35,
      currency: "EUR",
      optIn: true,
      session: SESSION,
      ip: "198.51.100.7",
      orderedAt: Date.parse(SAMPLE_ORDER.orderedAt),
      changedAt: Date.parse(SAMPLE_ORDER.changedAt),
      items: [{ id: "93", name: "A mug", quantity: 2, price: 9.5 }],
    });
    assert.equal(OrderSchema.safeParse(asInput(read.order)).success, true);
    await Promise.resolve();
  },

  "every status is distinguished, and an order without the box has no opt-in": async ({ shop, double }) => {
    for (const status of ORDER_STATUSES) {
      const read = shop.read(double.delivery({ status }));
      assert.ok(read.kind === "order");
      assert.deepEqual([read.order.status, read.order.optIn], [status, false]);
    }
    await Promise.resolve();
  },

  "an implausible order is rejected with a reason that contains no personal data": async (
    { shop, double },
  ) => {
    const implausible = [{ total: "-1" }, { total: "1e400" }, { total: "9999999999999" }, { email: "ann" }];
    for (const changes of implausible) {
      const read = shop.read(double.delivery(changes));
      assert.ok(read.kind === "implausible", JSON.stringify(changes));
      assert.match(read.reason, new RegExp(Object.keys(changes)[0]!));
      assert.ok(!read.reason.includes("ann"));
    }
    await Promise.resolve();
  },

  "a coupon is created once, with its amount and expiry, however often it is requested": async (h) => {
    const coupon = couponOf(h.now());
    for (let i = 0; i < 3; i++) assert.deepEqual(await h.shop.makeCoupon(coupon), { kind: "made" });
    const fixed = couponOf(h.now(), { code: "HELLO-OTHER", kind: "fixed", amount: 5 });
    assert.deepEqual(await h.shop.makeCoupon(fixed), { kind: "made" });
    const made = [...h.double.coupons.values()].map(({ kind, amount, expiresAt }) => ({
      kind,
      amount,
      expiresAt,
    }));
    assert.deepEqual(made, [
      { kind: "percent", amount: 12.5, expiresAt: coupon.expiresAt },
      { kind: "fixed", amount: 5, expiresAt: fixed.expiresAt },
    ]);
    assert.ok(h.double.redeem(coupon.code));
    assert.equal(h.double.redeem(coupon.code), undefined);
  },

  "a coupon has the amount that its email names, with all decimals": async (h) => {
    const coupons = [["fixed", 1.125], ["fixed", 0.004], ["fixed", 500], ["fixed", 1.1], [
      "percent",
      33.333,
    ]] as const;
    for (const [at, [kind, amount]] of coupons.entries()) {
      const coupon = couponOf(h.now(), { code: `HELLO-${at}`, kind, amount });
      assert.deepEqual(await h.shop.makeCoupon(coupon), { kind: "made" });
    }
    const made = [...h.double.coupons.values()].map(({ kind, amount }) => [kind, amount]);
    assert.deepEqual(made, coupons);
  },

  "a lost response is trouble with unknown effect, and a retry finds the same coupon": async (
    h,
  ) => {
    const coupon = couponOf(h.now());
    h.double.behavior = "loses the response";
    const lost = await h.shop.makeCoupon(coupon);
    assert.ok(lost.kind === "trouble" && lost.unknown, JSON.stringify(lost));
    h.double.behavior = "ok";
    assert.deepEqual(await h.shop.makeCoupon(coupon), { kind: "made" });
    assert.equal(h.double.coupons.size, 1);
  },

  "a shop that is down, busy or sends garbage is trouble, with its Retry-After": async (h) => {
    for (const behavior of ["down", "busy", "garbage", "rejects the key", "loses the request"] as const) {
      h.double.behavior = behavior;
      const result = await h.shop.makeCoupon(couponOf(h.now()));
      assert.ok(result.kind === "trouble", behavior);
      if (behavior === "down") assert.equal(result.retryAfterMs, 120_000);
      if (behavior === "busy") assert.ok((result.retryAfterMs ?? 0) >= 1000 && !result.unknown);
      for (const secret of ["ck_0", "cs_8", "shpat", "the shop's secret", "HELLO", h.double.url]) {
        assert.ok(!result.reason.includes(secret), result.reason);
      }
    }
    assert.equal(h.double.coupons.size, 0);
  },

  "an unreachable shop is trouble without effect": async (h) => {
    const unreachable = h.adapter({ shopUrl: `http://127.0.0.1:${freePort()}` });
    const result = await unreachable.makeCoupon(couponOf(h.now()));
    assert.ok(result.kind === "trouble" && !result.unknown, JSON.stringify(result));
  },

  "an aborted call returns trouble": async (h) => {
    const result = await h.shop.makeCoupon(couponOf(h.now()), AbortSignal.abort());
    assert.equal(result.kind, "trouble");
  },

  "missing settings are named, and without them no request is sent": async (h) => {
    assert.deepEqual(h.shop.missingSettings(), { orders: [], coupons: [] });
    const bare = h.adapter({ secret: "", shopUrl: "", apiKey: "", apiSecret: "" });
    assert.ok(bare.missingSettings().orders.includes("secret"));
    assert.ok(bare.missingSettings().coupons.includes("shopUrl"));
    const { requests } = h.double;
    const result = await bare.makeCoupon(couponOf(h.now()));
    assert.ok(result.kind === "trouble" && !result.unknown);
    assert.equal(h.double.requests, requests);
  },
};

/** Registers one test per guarantee, each with its own shop. */
export function shopConformance(name: string, start: () => ShopHarness): void {
  for (const [guarantee, step] of Object.entries(GUARANTEES)) {
    Deno.test(`${name}: ${guarantee}`, async () => {
      await using harness = start();
      await step(harness);
    });
  }
}

function changed(headers: Headers, change: (value: string) => string): Headers {
  const copy = new Headers(headers);
  for (const [name, value] of headers) if (/signature|hmac/i.test(name)) copy.set(name, change(value));
  return copy;
}

function asInput({ orderedAt, changedAt, ...order }: ReturnType<typeof OrderSchema.parse>): OrderInput {
  const iso = (time: number | undefined) => time === undefined ? undefined : new Date(time).toISOString();
  return { ...order, orderedAt: iso(orderedAt), changedAt: iso(changedAt) };
}
