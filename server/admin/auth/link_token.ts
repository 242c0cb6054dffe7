import { Buffer } from "node:buffer";
import type { Random } from "../../platform/deps.ts";
import { sha256 } from "../../platform/keys/sha256.ts";

const TOKEN_BYTES = 32;

/** Returns the secret of a link that works once. Only its hash is stored. */
export function newLinkToken(random: Random): string {
  return Buffer.from(random.bytes(TOKEN_BYTES)).toString("base64url");
}

/** Returns the hash under which a link is stored. A token is too long to guess, so the hash needs no salt. */
export function linkHash(token: string): string {
  return sha256(token);
}

/** What a passkey of a link's user is created for, in place of a session. */
export const sessionOfLink = (token: string): string => `link ${linkHash(token)}`;

/** Returns what authenticators call a link's user who has no passkey yet. It is no secret. */
export const handleOfLink = (token: string): string => sha256(`passkey of ${token}`);

/** Returns the token in a whole link, or in what remains of it after `#`; earlier versions put it after `?token=`. */
export function tokenOfLink(link: string): string {
  return link.slice(Math.max(link.lastIndexOf("#"), link.lastIndexOf("=")) + 1).trim().slice(0, 100);
}
