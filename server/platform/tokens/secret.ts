import { Buffer } from "node:buffer";
import type { Random } from "../deps.ts";
import { sha256 } from "../keys/sha256.ts";

const ID_BYTES = 5;
const SECRET_BYTES = 32;
/** `cfbe_`, the ID and the secret, so that scanners of leaked secrets recognize a token. */
const FORMAT = /^cfbe_([0-9a-f]{10})_[\w-]{43}$/;

/** A new API token. The token itself is stored nowhere. */
export interface NewSecret {
  id: string;
  token: string;
}

/** Returns an ID that is not secret. */
export const newId = (random: Random): string => Buffer.from(random.bytes(ID_BYTES)).toString("hex");

export function newSecret(random: Random): NewSecret {
  return secretOf(newId(random), Buffer.from(random.bytes(SECRET_BYTES)).toString("base64url"));
}

/**
 * Returns a token that is the same for the same arguments.
 *
 * @param named what its ID follows from; not secret
 * @param secret 32 secret bytes, encoded as base64url
 */
export function derivedSecret(named: string, secret: string): NewSecret {
  return secretOf(Buffer.from(sha256(named), "base64url").toString("hex", 0, ID_BYTES), secret);
}

const secretOf = (id: string, secret: string): NewSecret => ({ id, token: `cfbe_${id}_${secret}` });

/** Returns the ID in a token; undefined if the text has another form, as that of `CFBE_API_TOKEN` may. */
export function idIn(token: string): string | undefined {
  return FORMAT.exec(token)?.[1];
}

/** Returns the hash under which a token or a code is stored. Both are too long to guess, so the hash needs no salt. */
export function hashOf(token: string): string {
  return sha256(token);
}
