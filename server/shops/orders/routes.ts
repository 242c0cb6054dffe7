import { Hono, type MiddlewareHandler } from "hono";
import { type ErrorFormat, errorsAs } from "../../platform/http/errors.ts";
import { bodyLimit } from "../../platform/http/guards/body_limit.ts";
import { noStore } from "../../platform/http/guards/no_store.ts";
import { allowOnly } from "../../platform/http/guards/allow_only.ts";
import { rateLimit, type RateLimitDeps } from "../../platform/http/guards/rate_limit.ts";
import type { Policies } from "../../platform/limits/policies.ts";
import {
  couponSchemaRoute,
  orderSchemaRoute,
  type ShopHookDeps,
  shopHookRoute,
  whileConnected,
} from "./hook_route.ts";

/** Error format for shops. */
const errors: ErrorFormat = {
  respond: ({ status, detail }, c) =>
    c.json({ ok: false, ...(detail !== undefined && { error: detail }) }, status),
  failed: "order.request_failed",
};

/** Only the generic shop has schemas. */
const genericOnly: MiddlewareHandler = (c, next) =>
  c.req.param("shop") === "generic" ? next() : Promise.resolve(c.notFound());

/** Returns the routes that a shop's server calls, at the root of the base URL. */
export function shopHookRoutes(app: ShopHookDeps & RateLimitDeps & { policies: Policies }): Hono {
  const routes = new Hono();
  // The paths have a parameter because Hono's fast router accepts no other segment beside `:shop`.
  routes.get("/shop-hook/:shop/schema.json", genericOnly, orderSchemaRoute());
  routes.get("/shop-hook/:shop/coupon.schema.json", genericOnly, couponSchemaRoute());
  routes.use("/shop-hook/:shop", noStore);
  routes.post(
    "/shop-hook/:shop",
    whileConnected(app),
    errorsAs(errors),
    rateLimit(app, app.policies.shopIp),
    bodyLimit(app, () => app.shop().bodyBytes),
    shopHookRoute(app),
  );
  routes.all("/shop-hook/:shop", allowOnly("POST"));
  return routes;
}
