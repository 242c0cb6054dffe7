import { secretsEqual } from "../../keys/keyring.ts";
import { sha256 } from "../../keys/sha256.ts";

/** The code challenge of `S256`: SHA-256 as base64url (RFC 7636, 4.2). */
export const CHALLENGE = /^[\w-]{43}$/;
/** RFC 7636, 4.1. */
const VERIFIER = /^[\w.~-]{43,128}$/;

/** Returns whether a verifier belongs to a challenge of the method `S256`. */
export function verifierFits(verifier: string, challenge: string): boolean {
  return VERIFIER.test(verifier) && secretsEqual(challengeOf(verifier), challenge);
}

export const challengeOf = (verifier: string): string => sha256(verifier);
