import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import type { Random } from "../deps.ts";

const ID_BYTES = 5;
const SECRET_BYTES = 32;
/** `cfbe_`, the ID and the secret, so that scanners of leaked secrets recognize a token. */
const FORMAT = /^cfbe_([0-9a-f]{10})_[\w-]{43}$/;

/** A new API token. The token itself is stored nowhere. */
export interface NewSecret {
  id: string;
  token: string;
}

export function newSecret(random: Random): NewSecret {
  const id = Buffer.from(random.bytes(ID_BYTES)).toString("hex");
  return secretOf(id, Buffer.from(random.bytes(SECRET_BYTES)).toString("base64url"));
}

/** Returns the token of an ID and 32 secret bytes, encoded as base64url. */
export function secretOf(id: string, secret: string): NewSecret {
  return { id, token: `cfbe_${id}_${secret}` };
}

/** Returns the ID in a token; undefined if the text has another form, as that of `CFBE_API_TOKEN` may. */
export function idIn(token: string): string | undefined {
  return FORMAT.exec(token)?.[1];
}

/** Returns the hash under which a token is stored. A token is too long to guess, so the hash needs no salt. */
export function hashOf(token: string): string {
  return createHash("sha256").update(token, "utf8").digest("base64url");
}
