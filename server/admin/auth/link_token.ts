import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import type { Random } from "../../platform/deps.ts";

const TOKEN_BYTES = 32;

/** Returns the secret of a link that works once. Only its hash is stored. */
export function newLinkToken(random: Random): string {
  return Buffer.from(random.bytes(TOKEN_BYTES)).toString("base64url");
}

/** Returns the hash under which a link is stored. A token is too long to guess, so the hash needs no salt. */
export function linkHash(token: string): string {
  return createHash("sha256").update(token, "utf8").digest("base64url");
}

/** Returns the token in a whole link, or in what remains of it after `#`; earlier versions put it after `?token=`. */
export function tokenOfLink(link: string): string {
  return link.slice(Math.max(link.lastIndexOf("#"), link.lastIndexOf("=")) + 1).trim().slice(0, 100);
}
