import type { Context } from "hono";
import { z } from "zod";
import { readCounted } from "../http/counted_body.ts";
import { limitSubject } from "../http/visitor/visitor_ip.ts";
import { spend } from "../limits/spend.ts";
import type { Clock, Log, Random } from "../deps.ts";
import type { Chains } from "../kv/chains.ts";
import type { Policies } from "../limits/policies.ts";
import type { ClientIp } from "../http/visitor/client_ip.ts";
import type { Orders } from "./orders.ts";
import type { Shop } from "../shop/port.ts";
import { CouponRequestSchema } from "../shop/generic/coupon_request.ts";
import { OrderSchema } from "../shop/order.ts";

interface Deps {
  kv: Deno.Kv;
  clock: Clock;
  random: Random;
  log: Log;
  chains: Chains;
  policies: Policies;
  orders: Orders;
  shop: () => Shop;
  clientIp: ClientIp;
}

/**
 * `POST {base_url}/shop-hook/<shop>`: an order, from the shop system of the Checkout tab; the others are not there.
 * 401 for what is not the shop's word, 429 and 503 to ask for another try. What is absurd is 400, or 200 where the
 * shop would only send it again.
 */
export function shopHookRoute(app: Deps) {
  const { clock, policies, orders, log } = app;

  return async (c: Context): Promise<Response> => {
    const refuse = (status: 400 | 401 | 413 | 429 | 503, error?: string) =>
      c.json({ ok: false, ...(error !== undefined && { error }) }, status);
    const shop = app.shop();
    if (c.req.param("shop") !== shop.name) return await c.notFound();
    try {
      const verdict = await spend(app, policies.shopIp(limitSubject(await app.clientIp(c))));
      if (!verdict.admitted) {
        c.header("Retry-After", String(Math.ceil(verdict.retryAfterMs / 1000)));
        return refuse(429);
      }
      const body = await readCounted(c.req.raw, shop.bodyBytes, clock);
      if (!body) return refuse(413);
      const delivery = { headers: c.req.raw.headers, body };
      const verified = shop.verify(delivery);
      if (verified.kind === "ping") return c.json({ ok: true, action: "ignored" });
      if (verified.kind === "refused") {
        log.warn("order.signature_invalid", { shop: shop.name, reason: verified.reason });
        return refuse(401);
      }
      const reading = shop.read(delivery);
      if (reading.kind === "absurd") {
        // Only who knows the secret gets here, and may read what is wrong.
        log.warn("order.rejected", { shop: shop.name, reason: reading.reason });
        return shop.capabilities.takesRefusals
          ? refuse(400, reading.reason)
          : c.json({ ok: true, action: "refused", error: reading.reason });
      }
      if (reading.kind === "none") {
        log.info("order.skipped", { shop: shop.name, reason: reading.reason });
        return c.json({ ok: true, action: "ignored" });
      }
      return c.json({ ok: true, action: await orders.accept(reading.order) });
    } catch (error) {
      log.error("order.request_failed", { shop: shop.name, error });
      return refuse(503);
    }
  };
}

const CACHE = "public, max-age=3600";

/** `GET {base_url}/shop-hook/generic/schema.json`: what an order may say, as JSON Schema. */
export const orderSchemaRoute = () => schemaRoute(OrderSchema);
/** `GET {base_url}/shop-hook/generic/coupon.schema.json`: what the shop is asked to make. */
export const couponSchemaRoute = () => schemaRoute(CouponRequestSchema);

function schemaRoute(shape: z.ZodType) {
  const schema = z.toJSONSchema(shape, { io: "input" });
  return (c: Context): Response => {
    c.header("Cache-Control", CACHE);
    c.header("Access-Control-Allow-Origin", "*");
    return c.json(schema, 200, { "Content-Type": "application/schema+json" });
  };
}
