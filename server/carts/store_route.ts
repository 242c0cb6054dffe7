import type { Context } from "hono";
import type { StoredAnswer } from "../../shared/contract.ts";
import { CART_BODY_BYTES, SUBSCRIBE_BODY_BYTES } from "../../shared/limits.ts";
import { mailboxOf } from "../../shared/mailbox.ts";
import { type CartDeps, signedCartRoute } from "./signed_route.ts";
import { storeContent, type StoredCart } from "./store_content.ts";
import { asObject, parseJson, readCounted } from "../http/counted_body.ts";
import { inTime } from "../http/in_time.ts";
import { isForeign, isUnaskedFor } from "../http/visitor/page_origin.ts";
import { limitSubject } from "../http/visitor/visitor_ip.ts";
import { sessionOf } from "./checkout_nonce.ts";
import type { Policy } from "../limits/policies.ts";
import { spend } from "../limits/spend.ts";
import type { Keyring } from "../keys/keyring.ts";
import type { Counters } from "../observe/counters.ts";
import { normalEmail } from "../http/email.ts";
import { SIGNATURE_HEADER } from "../shop/generic/signature.ts";

/** The two ways in which a page tells of a cart: an address typed, and what lies in it. */

interface PageDeps extends CartDeps {
  keyring: Keyring;
  counters: Counters;
}

/** What a route does behind nonce and limit. A number of milliseconds is a refusal by one more limit. */
interface Door {
  bytes: number;
  limit: (ip: string) => Policy;
  store: (session: string, body: Record<string, unknown> | undefined) => Promise<StoredCart | number>;
}

const NO_ORIGINS =
  "Set allowed origins (general.origins) to receive cart contents from pages, or sign the request.";

/** `POST cart-email` (contract 9.1, decision 42): the address that somebody types at the checkout. */
export function cartEmailRoute(app: PageDeps) {
  return ajaxRoute(app, {
    bytes: SUBSCRIBE_BODY_BYTES,
    limit: app.policies.cartEmailIp,
    async store(session, body) {
      const email = normalEmail(body?.["email"]);
      if (email === undefined) return { status: 200, stored: false };
      const verdict = await spend(app, app.policies.cartEmailMailbox(mailboxOf(email)));
      if (!verdict.admitted) return verdict.retryAfterMs;
      if (!app.activation.isActive()) return { status: 200, stored: false };
      return { status: 200, stored: await app.carts.change(session, { email }) };
    },
  });
}

/**
 * `POST {base_url}/cart`: the content of a cart, from the page or, signed, from the shop's server. Without allowed
 * origins a page's content is refused: nothing would say which shop it comes from.
 */
export function cartRoute(app: PageDeps) {
  const fromServer = signedCartRoute(app);
  const fromPage = ajaxRoute(app, {
    bytes: CART_BODY_BYTES,
    limit: app.policies.cartIp,
    store(session, body) {
      const { origins } = app.settings.current().general;
      return origins.length > 0
        ? storeContent(app, session, body)
        : Promise.resolve({ status: 400, stored: false, error: NO_ORIGINS });
    },
  });
  return (c: Context) => c.req.header(SIGNATURE_HEADER) === undefined ? fromPage(c) : fromServer(c);
}

/** Module, nonce, the page's origin, limit of the IP, body: in this order for both. */
function ajaxRoute(app: PageDeps, { bytes, limit, store }: Door) {
  const { config, settings, counters, clock, keyring, log } = app;

  return async (c: Context): Promise<Response> => {
    const answer = (status: StoredCart["status"] | 403 | 413 | 429 | 503, stored = false, error?: string) =>
      c.json({ stored, ...(error !== undefined && { error }) } satisfies StoredAnswer, status);
    const limited = (retryAfterMs: number) => {
      c.header("Retry-After", String(Math.ceil(retryAfterMs / 1000)));
      return answer(429);
    };
    try {
      const session = sessionOf(keyring, c.req.header("x-wp-nonce"), clock.now());
      if (session === undefined) return answer(403);
      const { headers } = c.req.raw;
      if (isUnaskedFor(headers)) return answer(400);
      const { origins } = settings.current().general;
      if (isForeign(headers, { baseUrl: config.baseUrl, origins })) {
        counters.note("cart_foreign");
        return answer(200, true);
      }
      const verdict = await inTime(spend(app, limit(limitSubject(await app.clientIp(c)))), clock);
      if (!verdict.admitted) return limited(verdict.retryAfterMs);
      const body = await readCounted(c.req.raw, bytes, clock);
      if (!body) return answer(413);
      const result = await inTime(store(session, asObject(parseJson(body))), clock);
      if (typeof result === "number") return limited(result);
      return answer(result.status, result.stored, result.error);
    } catch (error) {
      log.error("cart.request_failed", { error });
      return answer(503);
    }
  };
}
