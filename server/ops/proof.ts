import { createHmac } from "node:crypto";
import { z } from "zod";

/**
 * How the command line makes sure, before it sends the API token, that the token is known where it is about to be sent:
 * any program may listen on a port and answer like cfbe. Each side shows an HMAC that only the token makes. The caller
 * goes first, so that strangers get nothing to guess the token by.
 *
 * Both HMACs cover the address that the caller asked. A program that passes the challenge on to the real service gets
 * no proof for its own address.
 */
export const Challenge = z.object({
  nonce: z.string().regex(/^[\w-]{22,64}$/),
  /** The address that was asked, without a trailing slash. */
  at: z.string().max(2_000),
  /** The caller's proof. */
  proof: z.string().max(100),
});

/** Returns what a side shows to the other, as base64url. */
export function proofOf(
  side: "caller" | "service",
  token: string,
  { nonce, at }: { nonce: string; at: string },
): string {
  return createHmac("sha256", token).update(`cfbe-${side}\n${nonce}\n${at}`).digest("base64url");
}
