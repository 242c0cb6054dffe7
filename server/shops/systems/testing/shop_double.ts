import type { Settings } from "../../../settings/schema/schema.ts";
import type { OrderStatus } from "../order.ts";
import type { ShopKind } from "../../../../shared/shop_kinds.ts";
import type { Delivery } from "../port.ts";
import { genericDialect } from "./generic_dialect.ts";
import { shopifyDialect } from "./shopify_dialect.ts";
import { wooDialect } from "./woo_dialect.ts";

/** How the shop handles the next requests. */
export type ShopBehavior =
  | "ok"
  | "down"
  | "busy"
  | "garbage"
  | "rejects the key"
  | "loses the response"
  | "loses the request";

/** A coupon as the shop has it. */
export interface ShopCoupon {
  code: string;
  kind: "percent" | "fixed";
  amount: number;
  expiresAt: number;
  uses: number;
}

/** An order, independent of any shop's format. */
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

/** A valid request for a coupon, or the error response to an invalid one. */
export type RequestedCoupon = { coupon: Omit<ShopCoupon, "uses"> } | Response;

/** The formats of one shop system, from its public documentation. */
export interface Dialect {
  /** Returns the `checkout` settings for a shop at `url`. */
  settings(url: string): Partial<Settings["checkout"]>;
  /** Reads and checks a request for a coupon. */
  readRequest(request: Request, now: () => number): Promise<RequestedCoupon>;
  created(coupon: ShopCoupon): Response;
  exists(coupon: ShopCoupon): Response;
  /** The rate limit response. */
  rateLimited(): Response;
  /** Returns a webhook's body; `changes` overwrite fields. */
  body(order: SampleOrder, changes?: Record<string, unknown>): string;
  /** Returns the headers for a body. */
  sign(body: string, options: { secret: string; now: number; shopUrl: string }): Record<string, string>;
}

const DIALECTS: Record<ShopKind, Dialect> = {
  generic: genericDialect,
  woocommerce: wooDialect,
  shopify: shopifyDialect,
};

export const HOOK_SECRET = "the shop's secret, long enough";

/** A shop on its own port, which creates coupons and signs webhooks like the real one. */
export interface ShopDouble extends AsyncDisposable {
  kind: ShopKind;
  url: string;
  behavior: ShopBehavior;
  /** Number of requests so far. */
  requests: number;
  coupons: Map<string, ShopCoupon>;
  settings: Partial<Settings["checkout"]>;
  delivery(order?: Partial<SampleOrder>, changes?: Record<string, unknown>): Delivery & { text: string };
  /** Returns the headers for any body, signed by the shop. */
  sign(body: string): Record<string, string>;
  /** Redeems a code at the checkout. @returns undefined if it is unknown, expired or already used */
  redeem(code: string): ShopCoupon | undefined;
}

export function startShop(kind: ShopKind, now: () => number = Date.now): ShopDouble {
  const dialect = DIALECTS[kind];
  const server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen() {} }, async (request) => {
    shop.requests++;
    const { behavior } = shop;
    const requested = await dialect.readRequest(request, now);
    if (behavior === "down") {
      return new Response("Down for maintenance", { status: 503, headers: { "retry-after": "120" } });
    }
    if (behavior === "busy") return dialect.rateLimited();
    if (behavior === "garbage") {
      return new Response("<h1>Welcome</h1>", { headers: { "content-type": "text/html" } });
    }
    if (behavior === "rejects the key") {
      return Response.json({ errors: "no", message: "no", error: "no" }, { status: 401 });
    }
    if (behavior === "loses the request") return brokenOff();
    if (requested instanceof Response) return requested;
    const known = shop.coupons.get(requested.coupon.code.toUpperCase());
    const coupon = known ?? { ...requested.coupon, uses: 0 };
    shop.coupons.set(coupon.code.toUpperCase(), coupon);
    if (behavior === "loses the response") return brokenOff();
    return known ? dialect.exists(coupon) : dialect.created(coupon);
  });
  const url = `http://127.0.0.1:${server.addr.port}`;
  const shop: ShopDouble = {
    kind,
    url,
    behavior: "ok",
    requests: 0,
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

/** Returns a response that breaks off, so that the client can't know the result. */
function brokenOff(): Response {
  return new Response(
    new ReadableStream({
      start(controller) {
        controller.enqueue(new TextEncoder().encode("{"));
        controller.error("shop: cut off on purpose");
      },
    }),
  );
}
