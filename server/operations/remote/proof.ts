import { createHmac } from "node:crypto";
import { z } from "zod";
import { hashOf, idIn } from "../../platform/tokens/secret.ts";

/**
 * The challenge that the command line sends before it sends the API token. It makes sure that the other side knows the
 * token, because any program may listen on a port and respond like cfbe. Each side proves that it knows the token by an
 * HMAC under it. The caller goes first, so that strangers get no HMAC to test guesses against.
 *
 * Both HMACs cover the URL that the caller requested, so a program that forwards the challenge to the real service gets
 * no proof for its own URL.
 */
export const Challenge = z.object({
  nonce: z.string().regex(/^[\w-]{22,64}$/),
  /** The base URL that the caller requested, without a trailing slash. */
  at: z.string().max(2_000),
  /** The caller's proof. */
  proof: z.string().max(100),
  /** ID of a stored token; absent for the token of the environment. */
  id: z.string().max(20).optional(),
});

/**
 * Returns what both sides know of a token, and its ID if the service stores it: the service knows the hash of a stored
 * token only.
 */
export function sharedOf(token: string): { id?: string; shared: string } {
  const id = idIn(token);
  return id === undefined ? { shared: token } : { id, shared: hashOf(token) };
}

/**
 * Returns the HMAC by which one side proves that it knows the token, as base64url.
 *
 * @param shared as returned by `sharedOf`
 */
export function proofOf(
  side: "caller" | "service",
  shared: string,
  { nonce, at }: { nonce: string; at: string },
): string {
  return createHmac("sha256", shared).update(`cfbe-${side}\n${nonce}\n${at}`).digest("base64url");
}
