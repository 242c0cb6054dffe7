import assert from "node:assert/strict";
import fc from "fast-check";
import { ORDER_STATUSES } from "../../shared/order_statuses.ts";
import { type OrderInput, OrderSchema } from "./order.ts";
import type { Coupon, Delivery, Shop } from "./port.ts";
import { SAMPLE_ORDER, type ShopDouble } from "./testing/shop_double.ts";

/** An adapter under test, and the shop that it speaks with, over HTTP. */
export interface Harness extends AsyncDisposable {
  shop: Shop;
  double: ShopDouble;
  /** The same adapter with other settings laid over. */
  adapter(settings: Partial<ShopDouble["settings"]>): Shop;
  /** The clock of both. */
  now(): number;
}

type Step = (harness: Harness) => Promise<void>;

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

/** Each guarantee of `port.ts` by its name; every adapter must hold all of them. */
const GUARANTEES: Readonly<Record<string, Step>> = {
  "what the shop signed is verified, and nothing else": async ({ shop, double, adapter }) => {
    const sound = double.delivery();
    assert.deepEqual(shop.verify(sound), { kind: "verified" });
    const forged: Delivery[] = [
      { ...sound, body: new TextEncoder().encode(`${sound.text} `) },
      { ...sound, body: new Uint8Array() },
      { ...sound, headers: new Headers() },
      { ...sound, headers: changed(sound.headers, (value) => value.slice(0, -1)) },
      { ...sound, headers: changed(sound.headers, () => "") },
    ];
    for (const delivery of forged) assert.equal(shop.verify(delivery).kind, "refused");
    for (const secret of ["", "another secret that is long"]) {
      assert.equal(adapter({ secret }).verify(sound).kind, "refused", secret);
    }
    await Promise.resolve();
  },

  "whatever arrives, verifying and reading never throw, and unsigned is never verified": async (h) => {
    const headers = h.double.delivery().headers;
    fc.assert(fc.property(fc.oneof(fc.json({ maxDepth: 3 }), fc.string()), (text) => {
      const delivery = { headers, body: new TextEncoder().encode(text) };
      assert.notEqual(h.shop.verify(delivery).kind, "verified");
      assert.notEqual(h.shop.read(delivery).kind, "order");
    }));
    await Promise.resolve();
  },

  "an order is read: who, what, when in the shop's own time, how much, and the box": async (
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

  "every status is told apart, and no box is no consent": async ({ shop, double }) => {
    for (const status of ORDER_STATUSES) {
      const read = shop.read(double.delivery({ status }));
      assert.ok(read.kind === "order");
      assert.deepEqual([read.order.status, read.order.optIn], [status, false]);
    }
    await Promise.resolve();
  },

  "an absurd order is refused with the reason, and the reason names nobody": async ({ shop, double }) => {
    const absurd = [{ total: "-1" }, { total: "1e400" }, { total: "999999999999" }, { email: "ann" }];
    for (const changes of absurd) {
      const read = shop.read(double.delivery(changes));
      assert.ok(read.kind === "implausible", JSON.stringify(changes));
      assert.match(read.reason, new RegExp(Object.keys(changes)[0]!));
      assert.ok(!read.reason.includes("ann"));
    }
    await Promise.resolve();
  },

  "a coupon is made once, with its amount and its end, however often it is asked for": async (h) => {
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

  "an answer that was lost is trouble of unknown effect, and asking again finds the same coupon": async (
    h,
  ) => {
    const coupon = couponOf(h.now());
    h.double.mood = "loses the answer";
    const lost = await h.shop.makeCoupon(coupon);
    assert.ok(lost.kind === "trouble" && lost.unknown, JSON.stringify(lost));
    h.double.mood = "well";
    assert.deepEqual(await h.shop.makeCoupon(coupon), { kind: "made" });
    assert.equal(h.double.coupons.size, 1);
  },

  "a shop that is down, busy, or answers something else is trouble, and its wish to wait is passed on":
    async (h) => {
      for (const mood of ["down", "busy", "garbage", "refuses keys", "loses the request"] as const) {
        h.double.mood = mood;
        const result = await h.shop.makeCoupon(couponOf(h.now()));
        assert.ok(result.kind === "trouble", mood);
        if (mood === "down") assert.equal(result.retryAfterMs, 120_000);
        if (mood === "busy") assert.ok((result.retryAfterMs ?? 0) >= 1000 && !result.unknown);
        for (const secret of ["ck_0", "cs_8", "shpat", "the shop's secret", "HELLO", h.double.url]) {
          assert.ok(!result.reason.includes(secret), result.reason);
        }
      }
      assert.equal(h.double.coupons.size, 0);
    },

  "a shop that can't be reached is trouble that certainly had no effect": async (h) => {
    const nowhere = h.adapter({ shopUrl: closedPort() });
    const result = await nowhere.makeCoupon(couponOf(h.now()));
    assert.ok(result.kind === "trouble" && !result.unknown, JSON.stringify(result));
  },

  "who stops waiting gets an answer": async (h) => {
    const result = await h.shop.makeCoupon(couponOf(h.now()), AbortSignal.abort());
    assert.equal(result.kind, "trouble");
  },

  "what is not configured is named, nothing is asked without it, and nothing is missing else": async (h) => {
    assert.deepEqual(h.shop.missingSettings(), { orders: [], coupons: [] });
    const bare = h.adapter({ secret: "", shopUrl: "", apiKey: "", apiSecret: "" });
    assert.ok(bare.missingSettings().orders.includes("secret"));
    assert.ok(bare.missingSettings().coupons.includes("shopUrl"));
    const asked = h.double.asked;
    const result = await bare.makeCoupon(couponOf(h.now()));
    assert.ok(result.kind === "trouble" && !result.unknown);
    assert.equal(h.double.asked, asked);
  },
};

/** Runs every guarantee, each on a shop of its own. */
export function shopConformance(name: string, start: () => Harness): void {
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

/** An address at which nobody listens. */
function closedPort(): string {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  listener.close();
  return `http://127.0.0.1:${listener.addr.port}`;
}
