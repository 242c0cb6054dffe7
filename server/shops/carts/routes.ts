import { type Context, Hono, type MiddlewareHandler } from "hono";
import { except } from "hono/combine";
import { type CheckoutSession, NAMESPACE } from "../../../shared/contract.ts";
import { CART_BODY_BYTES, SUBSCRIBE_BODY_BYTES } from "../../../shared/limits.ts";
import type { Log } from "../../platform/deps.ts";
import { withDatabaseTimeout } from "../../platform/http/database_timeout.ts";
import { errorsAs } from "../../platform/http/errors.ts";
import { bodyLimit } from "../../platform/http/guards/body_limit.ts";
import { noStore } from "../../platform/http/guards/no_store.ts";
import { allowOnly } from "../../platform/http/guards/allow_only.ts";
import { rateLimit, type RateLimitDeps } from "../../platform/http/guards/rate_limit.ts";
import { whileOn } from "../../platform/http/guards/while_on.ts";
import { type NoteVisitor, noteVisitors } from "../../platform/http/visitor/note_visitor.ts";
import type { Keyring } from "../../platform/keys/keyring.ts";
import type { Counters } from "../../platform/observe/counters.ts";
import { ownPage } from "../../platform/pages/own_page.ts";
import { issueNonce, newSession, sessionOf } from "./checkout_nonce.ts";
import {
  allowedOrigins,
  checkoutNonce,
  declaredJson,
  isFromShop,
  shopSignature,
  storedErrors,
} from "./guards.ts";
import { cartItemsRoute, restoreRoute, stopRoute } from "./link_routes.ts";
import { cartEmail, type CartEmailDeps, pageCart, signedCart } from "./store_route.ts";

export interface CartRoutesDeps extends CartEmailDeps, RateLimitDeps {
  log: Log;
  keyring: Keyring;
  counters: Counters;
  noteVisitor: NoteVisitor;
}

/**
 * Returns the routes of the module `carts`. `cart-email` is in the contract's namespace (contract 9.1), the others are
 * at the root of the base URL.
 *
 * @param cors for the routes that pages call
 */
export function cartRoutes(app: CartRoutesDeps, cors: MiddlewareHandler): Hono {
  const routes = new Hono();
  const { config, policies, settings } = app;
  const on = whileOn(() => settings.current().general.modules.carts);
  const errors = errorsAs(storedErrors);
  const fromPage = (c: Parameters<typeof isFromShop>[0]) => !isFromShop(c);

  routes.use(`${NAMESPACE}/cart-email`, on);
  routes.post(
    `${NAMESPACE}/cart-email`,
    errors,
    checkoutNonce(app),
    declaredJson,
    allowedOrigins(app),
    noteVisitors(app),
    rateLimit(app, policies.cartEmailIp),
    bodyLimit(app, SUBSCRIBE_BODY_BYTES),
    cartEmail(app),
  );
  routes.all(`${NAMESPACE}/cart-email`, allowOnly("POST"));

  routes.use("/cart", noStore, cors, on);
  routes.post(
    "/cart",
    errors,
    except(
      fromPage,
      rateLimit(app, policies.shopIp),
      bodyLimit(app, CART_BODY_BYTES),
      shopSignature(app),
      signedCart(app),
    ),
    checkoutNonce(app),
    declaredJson,
    allowedOrigins(app),
    noteVisitors(app),
    rateLimit(app, policies.cartIp),
    bodyLimit(app, CART_BODY_BYTES),
    pageCart(app),
  );
  routes.all("/cart", allowOnly("POST"));

  routes.use("/checkout-session", noStore, cors, on);
  routes.get("/checkout-session", checkoutSessionRoute(app));
  routes.all("/checkout-session", allowOnly("GET"));

  const page = ownPage([new URL(config.baseUrl).origin], "no-referrer");
  routes.use("/cart/:link/items", noStore, cors, on);
  routes.get("/cart/:link/items", cartItemsRoute(app));
  routes.get("/cart/:link", noStore, page, restoreRoute(app));
  // Opting out works even while the module is off.
  routes.on(["GET", "POST"], "/cart-stop/:link", noStore, page, stopRoute(app));
  return routes;
}

/**
 * `GET {base_url}/checkout-session`: returns a new session with its nonce (decision 42). A valid nonce is renewed for
 * its own session, so that a checkout page can stay open overnight, unless the session has ordered.
 */
function checkoutSessionRoute(
  { keyring, clock, random, carts }: Pick<CartRoutesDeps, "keyring" | "clock" | "random" | "carts">,
) {
  return async (c: Context): Promise<Response> => {
    const now = clock.now();
    const own = sessionOf(keyring, c.req.header("x-wp-nonce"), now);
    const goesOn = own !== undefined && !await withDatabaseTimeout(carts.hasOrdered(own), clock);
    const session = goesOn ? own : newSession(random);
    return c.json({ session, nonce: issueNonce(keyring, session, now) } satisfies CheckoutSession);
  };
}
