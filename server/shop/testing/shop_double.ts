import type { Settings } from "../../settings/schema.ts";
import type { OrderStatus } from "../order.ts";
import type { ShopKind } from "../../../shared/shop_kinds.ts";
import type { Delivery } from "../port.ts";
import { genericDialect } from "./generic_dialect.ts";
import { shopifyDialect } from "./shopify_dialect.ts";
import { wooDialect } from "./woo_dialect.ts";

/** What the shop does with the next requests. The last three make the code, or not, and never say so. */
export type ShopBehavior =
  | "well"
  | "down"
  | "busy"
  | "garbage"
  | "refuses keys"
  | "loses the answer"
  | "loses the request";

/** A coupon as the shop has it. */
export interface ShopCoupon {
  code: string;
  kind: "percent" | "fixed";
  amount: number;
  expiresAt: number;
  uses: number;
}

/** An order in no shop's words. */
export interface SampleOrder {
  id: number;
  status: OrderStatus;
  email: string;
  total: string;
  currency: string;
  firstName: string;
  lastName: string;
  orderedAt: string;
  changedAt: string;
  optIn: boolean;
  session?: string;
  ip?: string;
}

export const SAMPLE_ORDER: SampleOrder = {
  id: 4711,
  status: "processing",
  email: "ann@example.com",
  total: "29.35",
  currency: "EUR",
  firstName: "Ann",
  lastName: "Lee",
  orderedAt: "2025-01-01T11:58:00Z",
  changedAt: "2025-01-01T11:59:00Z",
  optIn: false,
};

/** What the shop was asked, and whether it may make a coupon of it. */
export type CouponRequestReading = { coupon: Omit<ShopCoupon, "uses"> } | Response;

/** How one shop system speaks: the shapes are those of its public documentation. */
export interface Dialect {
  /** Settings of the Checkout tab that belong to a shop at `url`. */
  settings(url: string): Partial<Settings["checkout"]>;
  /** Reads and checks a request for a coupon. */
  asked(request: Request, now: () => number): Promise<CouponRequestReading>;
  made(coupon: ShopCoupon): Response;
  exists(coupon: ShopCoupon): Response;
  /** How it says that there was too much. */
  busy(): Response;
  /** The body of its webhook, with members laid over it, and the headers that go with it. */
  body(order: SampleOrder, changes?: Record<string, unknown>): string;
  sign(body: string, options: { secret: string; now: number; shopUrl: string }): Record<string, string>;
}

const DIALECTS: Record<ShopKind, Dialect> = {
  generic: genericDialect,
  woocommerce: wooDialect,
  shopify: shopifyDialect,
};

export const HOOK_SECRET = "the shop's secret, long enough";

/** A shop on a port of its own, which makes coupons and sends webhooks as the real one does. */
export interface ShopDouble extends AsyncDisposable {
  kind: ShopKind;
  url: string;
  mood: ShopBehavior;
  /** Requests so far. */
  asked: number;
  coupons: Map<string, ShopCoupon>;
  settings: Partial<Settings["checkout"]>;
  delivery(order?: Partial<SampleOrder>, changes?: Record<string, unknown>): Delivery & { text: string };
  /** Headers for any body, as the shop signs it. */
  sign(body: string): Record<string, string>;
  /** Whether somebody who types it at the checkout gets what it promises; it is used up then. */
  redeem(code: string): ShopCoupon | undefined;
}

export function startShop(kind: ShopKind, now: () => number = Date.now): ShopDouble {
  const dialect = DIALECTS[kind];
  const server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen() {} }, async (request) => {
    shop.asked++;
    const mood = shop.mood;
    const asked = await dialect.asked(request, now);
    if (mood === "down") {
      return new Response("Down for maintenance", { status: 503, headers: { "retry-after": "120" } });
    }
    if (mood === "busy") return dialect.busy();
    if (mood === "garbage") {
      return new Response("<h1>Welcome</h1>", { headers: { "content-type": "text/html" } });
    }
    if (mood === "refuses keys") {
      return Response.json({ errors: "no", message: "no", error: "no" }, { status: 401 });
    }
    if (mood === "loses the request") return broken();
    if (asked instanceof Response) return asked;
    const known = shop.coupons.get(asked.coupon.code.toUpperCase());
    const coupon = known ?? { ...asked.coupon, uses: 0 };
    shop.coupons.set(coupon.code.toUpperCase(), coupon);
    if (mood === "loses the answer") return broken();
    return known ? dialect.exists(coupon) : dialect.made(coupon);
  });
  const url = `http://127.0.0.1:${server.addr.port}`;
  const shop: ShopDouble = {
    kind,
    url,
    mood: "well",
    asked: 0,
    coupons: new Map(),
    settings: { shop: kind, secret: HOOK_SECRET, ...dialect.settings(url) },
    sign: (body) => dialect.sign(body, { secret: HOOK_SECRET, now: now(), shopUrl: url }),
    delivery(order = {}, changes = {}) {
      const text = dialect.body({ ...SAMPLE_ORDER, ...order }, changes);
      return { headers: new Headers(shop.sign(text)), body: new TextEncoder().encode(text), text };
    },
    redeem(code) {
      const coupon = shop.coupons.get(code.toUpperCase());
      if (!coupon || coupon.uses > 0 || now() >= coupon.expiresAt) return undefined;
      coupon.uses++;
      return coupon;
    },
    async [Symbol.asyncDispose]() {
      await server.shutdown();
    },
  };
  return shop;
}

/** An answer that breaks off: whoever asked can't know what became of it. */
function broken(): Response {
  return new Response(
    new ReadableStream({
      start(controller) {
        controller.enqueue(new TextEncoder().encode("{"));
        controller.error("shop: cut off on purpose");
      },
    }),
  );
}
