import type { Context, MiddlewareHandler } from "hono";
import { z } from "zod";
import type { Log } from "../../platform/deps.ts";
import { refuse } from "../../platform/http/errors.ts";
import type { HasBody } from "../../platform/http/guards/body_limit.ts";
import { CouponRequestSchema } from "../systems/generic/coupon_request.ts";
import { OrderSchema } from "../systems/order.ts";
import type { Shop } from "../systems/port.ts";
import type { Sites } from "../../platform/tokens/sites/store.ts";
import type { Orders } from "./orders.ts";

/** Parameter of the URL of a connected site's webhooks: its ID. */
export const SITE_PARAMETER = "site";

export interface ShopHookDeps {
  log: Log;
  orders: Orders;
  /** Returns the shop of the current setting `checkout.shop`. */
  shop: () => Shop;
  sites: Pick<Sites, "webhookSecrets" | "note" | "connected">;
}

/** Responds with 404 for any shop system except the configured one. */
export function whileConnected({ shop }: Pick<ShopHookDeps, "shop">): MiddlewareHandler {
  return async (c, next) => c.req.param("shop") === shop().name ? await next() : await c.notFound();
}

/**
 * `POST {base_url}/shop-hook/<shop>`: receives an order from the configured shop system. A body without a valid
 * signature gets 401. An implausible order gets 400, or 200 if the shop would retry it.
 */
export function shopHookRoute({ orders, log, shop: connected, sites }: ShopHookDeps) {
  return async (c: Context<HasBody>): Promise<Response> => {
    const shop = connected();
    const site = c.req.query(SITE_PARAMETER);
    const delivery = {
      headers: c.req.raw.headers,
      body: c.var.body,
      ...(site !== undefined && { secrets: sites.webhookSecrets(site) }),
    };
    const verified = shop.verify(delivery);
    if (verified.kind === "ping") return c.json({ ok: true, action: "ignored" });
    if (verified.kind === "refused") {
      log.warn("order.signature_invalid", { shop: shop.name, reason: verified.reason });
      return refuse(c, "unauthorized");
    }
    if (site !== undefined) sites.note(site);
    const reading = shop.read(delivery);
    if (reading.kind === "implausible") {
      // Only a sender that knows the secret gets here, so the reason may be in the response.
      log.warn("order.rejected", { shop: shop.name, reason: reading.reason });
      return shop.capabilities.acceptsClientErrors
        ? refuse(c, "invalid", { detail: reading.reason })
        : c.json({ ok: true, action: "refused", error: reading.reason });
    }
    if (reading.kind === "ignored") {
      log.info("order.skipped", { shop: shop.name, reason: reading.reason });
      return c.json({ ok: true, action: "ignored" });
    }
    if (reading.kind === "session") {
      return c.json({ ok: true, action: await orders.endCart(reading.session) });
    }
    // Its URL stays the same when it is connected again.
    const url = sites.connected().find(({ id }) => id === site)?.url;
    return c.json({ ok: true, action: await orders.accept(reading.order, url) });
  };
}

const CACHE = "public, max-age=3600";

/** `GET {base_url}/shop-hook/generic/schema.json`: the fields of an order, as JSON Schema. */
export const orderSchemaRoute = () => schemaRoute(OrderSchema);
/** `GET {base_url}/shop-hook/generic/coupon.schema.json`: the request for a coupon, as JSON Schema. */
export const couponSchemaRoute = () => schemaRoute(CouponRequestSchema);

function schemaRoute(shape: z.ZodType) {
  let schema: object | undefined;
  return (c: Context): Response => {
    schema ??= z.toJSONSchema(shape, { io: "input" });
    c.header("Cache-Control", CACHE);
    c.header("Access-Control-Allow-Origin", "*");
    return c.json(schema, 200, { "Content-Type": "application/schema+json" });
  };
}
