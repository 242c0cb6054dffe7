import type { Context } from "hono";
import type { StoredResponse } from "../../../shared/contract.ts";
import { mailboxOf } from "../../../shared/mailbox.ts";
import type { Clock, Random } from "../../platform/deps.ts";
import { asObject, parseJson } from "../../platform/http/request_body.ts";
import { normalizeEmail } from "../../platform/http/email.ts";
import { refuse } from "../../platform/http/errors.ts";
import type { HasBody } from "../../platform/http/guards/body_limit.ts";
import { withDatabaseTimeout } from "../../platform/http/database_timeout.ts";
import type { Chains } from "../../platform/kv/chains.ts";
import type { Kv } from "../../platform/kv/port.ts";
import type { Policies } from "../../platform/limits/policies.ts";
import { spend } from "../../platform/limits/spend.ts";
import { SessionId } from "../systems/order.ts";
import type { HasSession } from "./guards.ts";
import { type ContentDeps, storeContent, type StoredCart } from "./store_content.ts";

/** Handlers that store a cart's email address and content, from a page or from the shop's server. */

export interface CartEmailDeps extends ContentDeps {
  kv: Kv;
  clock: Clock;
  random: Random;
  chains: Chains;
  policies: Policies;
}

const NO_ORIGINS =
  "Set allowed origins (general.origins) to receive cart contents from pages, or sign the request.";

/** `POST cart-email` (contract 9.1, decision 42): stores the email address typed at the checkout. */
export function cartEmail(deps: CartEmailDeps) {
  const { clock, policies, carts, activation } = deps;
  return async (c: Context<HasBody & HasSession>): Promise<Response> => {
    const email = normalizeEmail(jsonOf(c.var.body)?.["email"]);
    if (email === undefined) return respond(c, { stored: false });
    const verdict = await withDatabaseTimeout(
      spend(deps, policies.cartEmailMailbox(mailboxOf(email))),
      clock,
    );
    if (!verdict.admitted) return refuse(c, "rate_limited", { retryAfterMs: verdict.retryAfterMs });
    if (!activation.isActive()) return respond(c, { stored: false });
    return respond(c, { stored: await withDatabaseTimeout(carts.change(c.var.session, { email }), clock) });
  };
}

/**
 * `POST {base_url}/cart` from a page: stores the content of a cart. Refuses it if there are no allowed origins, because
 * anyone could have sent it.
 */
export function pageCart(deps: ContentDeps & { clock: Clock }) {
  return async (c: Context<HasBody & HasSession>): Promise<Response> => {
    if (deps.settings.current().general.origins.length === 0) {
      return refuse(c, "invalid", { detail: NO_ORIGINS });
    }
    return respond(
      c,
      await withDatabaseTimeout(storeContent(deps, c.var.session, jsonOf(c.var.body)), deps.clock),
    );
  };
}

/**
 * `POST {base_url}/cart` from the shop's server: stores the content of a cart. Signed like an order
 * (docs/shop-hook.md), with the checkout session in `session` instead of a nonce.
 */
export function signedCart(deps: ContentDeps & { clock: Clock }) {
  return async (c: Context<HasBody>): Promise<Response> => {
    const body = jsonOf(c.var.body);
    const session = SessionId.safeParse(body?.["session"]);
    if (!session.success) {
      return refuse(c, "invalid", { detail: "session: must be what cfbe.cart.session() returned" });
    }
    return respond(c, await withDatabaseTimeout(storeContent(deps, session.data, body), deps.clock));
  };
}

function jsonOf(body: Uint8Array): Record<string, unknown> | undefined {
  return asObject(parseJson(body));
}

async function respond(c: Context, result: StoredCart): Promise<Response> {
  if ("refused" in result) return await refuse(c, result.refused, result);
  return c.json(result satisfies StoredResponse);
}
