import type { Context, MiddlewareHandler } from "hono";
import type { StoredResponse } from "../../../shared/contract.ts";
import type { Clock } from "../../platform/deps.ts";
import { type ErrorFormat, refuse } from "../../platform/http/errors.ts";
import type { HasBody } from "../../platform/http/guards/body_limit.ts";
import { isForeignOrigin, skipsPreflight } from "../../platform/http/visitor/page_origin.ts";
import type { Keyring } from "../../platform/keys/keyring.ts";
import type { Counters } from "../../platform/observe/counters.ts";
import type { SettingsStore } from "../../settings/store/store.ts";
import { isSigned, SIGNATURE_HEADER } from "../systems/generic/signature.ts";
import { sessionOf } from "./checkout_nonce.ts";

/** Guards that only the cart routes use. */

/** Error format of the cart routes. */
export const storedErrors: ErrorFormat = {
  respond({ status, detail }, c) {
    const body: StoredResponse = { stored: false, ...(detail !== undefined && { error: detail }) };
    return c.json(body, status);
  },
  failed: "cart.request_failed",
};

/** The context variables that `checkoutNonce` sets. */
export interface HasSession {
  Variables: { session: string };
}

/** Refuses with 403 a request whose `X-WP-Nonce` proves no checkout session. */
export function checkoutNonce(
  { keyring, clock }: { keyring: Keyring; clock: Clock },
): MiddlewareHandler<HasSession> {
  return async (c, next) => {
    const session = sessionOf(keyring, c.req.header("x-wp-nonce"), clock.now());
    if (session === undefined) return refuse(c, "forbidden");
    c.set("session", session);
    return await next();
  };
}

/** Refuses with 400 a page's request whose content type needs no CORS preflight. */
export const declaredJson: MiddlewareHandler = async (c, next) =>
  skipsPreflight(c.req.raw.headers) ? refuse(c, "invalid") : await next();

/** Drops a request from a page on a foreign origin, and responds as if it was stored. */
export function allowedOrigins(
  { config, settings, counters }: {
    config: { baseUrl: string };
    settings: SettingsStore;
    counters: Counters;
  },
): MiddlewareHandler {
  return async (c, next) => {
    const { origins } = settings.current().general;
    if (!isForeignOrigin(c.req.raw.headers, { baseUrl: config.baseUrl, origins })) return await next();
    counters.note("cart_foreign");
    return c.json({ stored: true } satisfies StoredResponse);
  };
}

/** Returns whether a request claims to come from the shop's server; `shopSignature` verifies it. */
export function isFromShop(c: Context): boolean {
  return c.req.header(SIGNATURE_HEADER) !== undefined;
}

/** Refuses with 401 a body that is not signed with the shop's secret. Runs after `bodyLimit`. */
export function shopSignature(
  { clock, settings }: { clock: Clock; settings: SettingsStore },
): MiddlewareHandler<HasBody> {
  return async (c, next) => {
    const { secret } = settings.current().checkout;
    if (isSigned(c.req.raw.headers, c.var.body, { secret, now: clock.now() })) return await next();
    const detail = "The signature or its time is wrong, or no secret is set (checkout.secret).";
    return refuse(c, "unauthorized", { detail });
  };
}
