import type { Context } from "hono";
import type { StoredAnswer } from "../../shared/contract.ts";
import { CART_BODY_BYTES, SUBSCRIBE_BODY_BYTES } from "../../shared/limits.ts";
import { mailboxOf } from "../../shared/mailbox.ts";
import { asObject, parseJson, readCounted } from "../http/counted_body.ts";
import { limitSubject } from "../http/visitor_ip.ts";
import { sessionOf } from "../keys/checkout_nonce.ts";
import type { Policy } from "../limits/policies.ts";
import { spend } from "../limits/spend.ts";
import type { Services } from "../services.ts";
import { normalEmail } from "../signup/request.ts";
import { CartSchema, isOurs } from "./cart.ts";

/** The two ways in which a page tells of a cart: an address typed, and what lies in it. */

/** What a route does behind nonce and limit. A number of milliseconds is a refusal by one more limit. */
interface Door {
  bytes: number;
  limit: (ip: string) => Policy;
  store: (session: string, body: Record<string, unknown> | undefined) => Promise<Stored | number>;
}

type Stored = { status: 200 | 400 | 409; stored: boolean };

/** `POST cart-email` (contract §4.4, decisions §9): the address that somebody types at the checkout. */
export function cartEmailRoute(app: Services) {
  return door(app, {
    bytes: SUBSCRIBE_BODY_BYTES,
    limit: app.policies.cartEmailIp,
    async store(session, body) {
      const email = normalEmail(body?.["email"]);
      if (email === undefined) return { status: 200, stored: false };
      const verdict = await spend(app, app.policies.cartEmailMailbox(mailboxOf(email)));
      if (!verdict.admitted) return verdict.retryAfterMs;
      return { status: 200, stored: await app.carts.change(session, { email }) };
    },
  });
}

/** `POST {base_url}/cart`: what lies in the cart. 409 says that its session has ordered, and is over. */
export function cartRoute(app: Services) {
  return door(app, {
    bytes: CART_BODY_BYTES,
    limit: app.policies.cartIp,
    async store(session, body) {
      const cart = CartSchema.safeParse(body);
      const { origins } = app.settings.current().general;
      if (!cart.success || !isOurs(cart.data.url, origins)) return { status: 400, stored: false };
      const { items, total, currency, url } = cart.data;
      const content = {
        items: items.map((item) => ({
          id: item.id,
          name: item.name,
          quantity: item.quantity,
          ...(item.price !== undefined && { price: item.price }),
          // A mail of the shop's must not link to somebody else's; pictures often lie elsewhere.
          ...(item.url !== undefined && isOurs(item.url, origins) && { url: item.url }),
          ...(item.image !== undefined && { image: item.image }),
        })),
        total,
        currency,
        url,
      };
      const stored = await app.carts.change(session, { content });
      return { status: stored ? 200 : 409, stored };
    },
  });
}

/** Module, nonce, limit of the IP, body: in this order for both. */
function door(app: Services, { bytes, limit, store }: Door) {
  const { clock, keyring, log } = app;

  return async (c: Context): Promise<Response> => {
    const answer = (status: 200 | 400 | 403 | 409 | 413 | 429 | 503, stored = false) =>
      c.json({ stored } satisfies StoredAnswer, status);
    const limited = (retryAfterMs: number) => {
      c.header("Retry-After", String(Math.ceil(retryAfterMs / 1000)));
      return answer(429);
    };
    try {
      const session = sessionOf(keyring, c.req.header("x-wp-nonce"), clock.now());
      if (session === undefined) return answer(403);
      const verdict = await spend(app, limit(limitSubject(await app.clientIp(c))));
      if (!verdict.admitted) return limited(verdict.retryAfterMs);
      const body = await readCounted(c.req.raw, bytes, clock);
      if (!body) return answer(413);
      const result = await store(session, asObject(parseJson(body)));
      return typeof result === "number" ? limited(result) : answer(result.status, result.stored);
    } catch (error) {
      log.error("cart.failed", { error });
      return answer(503);
    }
  };
}
