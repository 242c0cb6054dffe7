import { createHash } from "node:crypto";
import { secretsEqual } from "../../keys/keyring.ts";

/** The code challenge of `S256`: SHA-256 as base64url (RFC 7636, 4.2). */
export const CHALLENGE = /^[\w-]{43}$/;
/** RFC 7636, 4.1. */
const VERIFIER = /^[\w.~-]{43,128}$/;

/** Returns whether a verifier belongs to a challenge of the method `S256`. */
export function verifierFits(verifier: string, challenge: string): boolean {
  return VERIFIER.test(verifier) && secretsEqual(challengeOf(verifier), challenge);
}

export function challengeOf(verifier: string): string {
  return createHash("sha256").update(verifier, "utf8").digest("base64url");
}
