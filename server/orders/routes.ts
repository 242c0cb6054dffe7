import { type Context, Hono, type MiddlewareHandler } from "hono";
import { ownPage } from "../pages/own_page.ts";
import type { SettingsStore } from "../settings/store.ts";
import { integrationRoute } from "../signup/integration_route.ts";
import { couponSchemaRoute, orderSchemaRoute, shopHookRoute } from "./hook_route.ts";
import { cartItemsRoute, restoreRoute, stopRoute } from "../carts/link_routes.ts";
import { checkoutSessionRoute } from "../carts/session_route.ts";
import { cartRoute } from "../carts/store_route.ts";

/** Lets through while the Abandoned cart emails module is on; without it its routes are not there (contract 9.1). */
export function cartsOn({ settings }: { settings: SettingsStore }): MiddlewareHandler {
  return async (c, next) => settings.current().general.modules.carts ? await next() : await c.notFound();
}

type Deps =
  & Parameters<typeof cartRoute>[0]
  & Parameters<typeof stopRoute>[0]
  & Parameters<typeof shopHookRoute>[0]
  & Parameters<typeof integrationRoute>[0];

/**
 * What stands behind the checkout, outside the contract's namespace, at the root of the public address.
 *
 * @param open CORS for what pages call
 */
export function shopRoutes(
  app: Deps,
  { noStore, cors: open, only }: {
    noStore: MiddlewareHandler;
    cors: MiddlewareHandler;
    only: (method: "GET" | "POST") => (c: Context) => Response;
  },
): Hono {
  const routes = new Hono();
  const on = cartsOn(app);

  routes.use("/checkout-session", noStore, open, on);
  routes.get("/checkout-session", checkoutSessionRoute(app));
  routes.all("/checkout-session", only("GET"));
  routes.use("/cart", noStore, open, on);
  routes.post("/cart", cartRoute(app));
  routes.all("/cart", only("POST"));

  routes.use("/cart/:link/items", noStore, open, on);
  routes.get("/cart/:link/items", cartItemsRoute(app));
  const page = ownPage([new URL(app.config.baseUrl).origin], "no-referrer");
  routes.get("/cart/:link", noStore, page, on, restoreRoute(app));
  // Whoever has such a link may say no, whether or not the module is on by now.
  routes.on(["GET", "POST"], "/cart-stop/:link", noStore, page, stopRoute(app));

  routes.get("/shop-hook/generic/schema.json", orderSchemaRoute());
  routes.get("/shop-hook/generic/coupon.schema.json", couponSchemaRoute());
  routes.use("/shop-hook/:shop", noStore);
  routes.post("/shop-hook/:shop", shopHookRoute(app));
  routes.all("/shop-hook/:shop", only("POST"));
  routes.use("/integrations/signup", noStore);
  routes.post("/integrations/signup", integrationRoute(app));
  routes.all("/integrations/signup", only("POST"));
  return routes;
}
