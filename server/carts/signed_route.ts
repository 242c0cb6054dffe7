import type { Context } from "hono";
import type { StoredAnswer } from "../../shared/contract.ts";
import { CART_BODY_BYTES } from "../../shared/limits.ts";
import { asObject, parseJson, readCounted } from "../http/counted_body.ts";
import { limitSubject } from "../http/visitor/visitor_ip.ts";
import { spend } from "../limits/spend.ts";
import type { Clock, Log, Random } from "../deps.ts";
import type { Chains } from "../kv/chains.ts";
import type { Policies } from "../limits/policies.ts";
import type { ClientIp } from "../http/visitor/client_ip.ts";
import { isSigned } from "../shop/generic/signature.ts";
import { SessionId } from "../shop/order.ts";
import { type ContentDeps, storeContent } from "./store_content.ts";

/** What both ways to send a cart need. */
export interface CartDeps extends ContentDeps {
  kv: Deno.Kv;
  clock: Clock;
  random: Random;
  log: Log;
  chains: Chains;
  policies: Policies;
  clientIp: ClientIp;
}

/**
 * `POST {base_url}/cart` by the shop's server: signed like an order (docs/shop-hook.md), the checkout session in
 * `session`. The signature takes the place of the nonce.
 */
export function signedCartRoute(app: CartDeps) {
  const { clock, policies, settings, log } = app;

  return async (c: Context): Promise<Response> => {
    const answer = (status: 200 | 400 | 401 | 409 | 413 | 429 | 503, stored = false, error?: string) =>
      c.json({ stored, ...(error !== undefined && { error }) } satisfies StoredAnswer, status);
    try {
      const verdict = await spend(app, policies.shopIp(limitSubject(await app.clientIp(c))));
      if (!verdict.admitted) {
        c.header("Retry-After", String(Math.ceil(verdict.retryAfterMs / 1000)));
        return answer(429);
      }
      const bytes = await readCounted(c.req.raw, CART_BODY_BYTES, clock);
      if (!bytes) return answer(413);
      const { secret } = settings.current().checkout;
      if (!isSigned(c.req.raw.headers, bytes, { secret, now: clock.now() })) {
        return answer(
          401,
          false,
          "The signature or its time is wrong, or no secret is set (checkout.secret).",
        );
      }
      const body = asObject(parseJson(bytes));
      const session = SessionId.safeParse(body?.["session"]);
      if (!session.success) return answer(400, false, "session: must be what cfbe.cart.session() returned");
      const { status, stored, error } = await storeContent(app, session.data, body);
      return answer(status, stored, error);
    } catch (error) {
      log.error("cart.request_failed", { error });
      return answer(503);
    }
  };
}
