import { Buffer } from "node:buffer";
import { scrypt, timingSafeEqual } from "node:crypto";
import type { Random } from "../../platform/deps.ts";

/** A stored password. It contains its cost, so that the cost can be raised without locking anyone out. */
export interface PasswordHash {
  kind: "scrypt";
  N: number;
  r: number;
  p: number;
  /** base64url. */
  salt: string;
  hash: string;
}

export const PASSWORD_MIN_CHARACTERS = 10;
export const PASSWORD_MAX_CHARACTERS = 200;

/** Takes 32 MiB and about a quarter of a second. */
const COST = { N: 2 ** 15, r: 8, p: 3 };
const HASH_BYTES = 32;
const SALT_BYTES = 16;

export async function hashPassword(password: string, random: Random): Promise<PasswordHash> {
  const salt = Buffer.from(random.bytes(SALT_BYTES));
  const hash = await derive(password, salt, COST);
  return { kind: "scrypt", ...COST, salt: salt.toString("base64url"), hash: hash.toString("base64url") };
}

/** Returns whether the password matches. @param kept undefined for an unknown user: takes the same time, never matches */
export async function passwordMatches(password: string, kept: PasswordHash | undefined): Promise<boolean> {
  const { N, r, p } = kept ?? COST;
  const salt = kept ? Buffer.from(kept.salt, "base64url") : Buffer.alloc(SALT_BYTES);
  const hash = await derive(password, salt, { N, r, p });
  const expected = kept ? Buffer.from(kept.hash, "base64url") : Buffer.alloc(HASH_BYTES);
  return timingSafeEqual(hash, expected) && kept !== undefined;
}

function derive(password: string, salt: Buffer, cost: typeof COST): Promise<Buffer> {
  // The same characters may be typed as different code points on different machines.
  const text = password.normalize("NFKC");
  const maxmem = 2 * 128 * cost.N * cost.r;
  return new Promise((resolve, reject) =>
    scrypt(text, salt, HASH_BYTES, { ...cost, maxmem }, (error, key) => error ? reject(error) : resolve(key))
  );
}
