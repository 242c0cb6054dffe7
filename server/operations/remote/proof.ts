import { createHmac } from "node:crypto";
import { z } from "zod";

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
});

/** Returns the HMAC by which one side proves that it knows the token, as base64url. */
export function proofOf(
  side: "caller" | "service",
  token: string,
  { nonce, at }: { nonce: string; at: string },
): string {
  return createHmac("sha256", token).update(`cfbe-${side}\n${nonce}\n${at}`).digest("base64url");
}
