import type { Context } from "hono";
import type { CheckoutSession } from "../../../shared/contract.ts";
import { issueNonce, newSession, sessionOf } from "./checkout_nonce.ts";
import type { Keyring } from "../../platform/keys/keyring.ts";
import type { Clock, Random } from "../../platform/deps.ts";

/**
 * `GET {base_url}/checkout-session`: returns a new session with its nonce (decision 42). A valid nonce is renewed for
 * its own session, so that a checkout page can stay open overnight.
 */
export function checkoutSessionRoute(
  { keyring, clock, random }: { keyring: Keyring; clock: Clock; random: Random },
) {
  return (c: Context): Response => {
    const now = clock.now();
    const session = sessionOf(keyring, c.req.header("x-wp-nonce"), now) ?? newSession(random);
    return c.json({ session, nonce: issueNonce(keyring, session, now) } satisfies CheckoutSession);
  };
}
