import { createHash, createHmac, type Hash, hkdfSync, timingSafeEqual } from "node:crypto";
import { Buffer } from "node:buffer";
import { declarationOf, KINDS, type Purpose, type PurposeOf } from "./purposes.ts";

/** Signs, encrypts and names with keys derived from the site's salts, as the kind of each purpose allows. */
export interface Keyring {
  /** Returns the HMAC-SHA256 under the newest salt, as base64url without padding. */
  sign(purpose: PurposeOf<"signing">, text: string): string;
  /**
   * Verifies a signature under each accepted salt. Takes constant time for signatures of the same length;
   * never throws.
   */
  verify(purpose: PurposeOf<"signing">, text: string, signature: string): boolean;
  /**
   * Returns a keyed hash of something that must not be stored in the clear. It uses the same salt as long as the
   * database is used, so that mailboxes are still recognized after a change of salt.
   */
  identify(purpose: PurposeOf<"identity">, text: string): string;
  /** Returns the raw 32-byte keys for encryption, newest first. */
  keysFor(purpose: PurposeOf<"sealing">): Uint8Array<ArrayBuffer>[];
  /** Returns the raw 32-byte keys of a connected site, newest first: one for each accepted salt. */
  siteKeys(site: string): Uint8Array<ArrayBuffer>[];
  /** Returns the fingerprints of the accepted salts, newest first (`fingerprintOf`). */
  fingerprints(): string[];
  /** Differs once other salts are accepted, for what remembers signatures. */
  readonly generation: object;
}

const KEY_BYTES = 32;

function derive(salt: string, purpose: Purpose): Uint8Array<ArrayBuffer> {
  const { info = purpose } = declarationOf(purpose);
  return deriveKey(salt, info);
}

/** Derives a 32-byte key with HKDF-SHA256 (RFC 5869), without its salt. */
export function deriveKey(from: string | Uint8Array, info: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(hkdfSync("sha256", from, "", info, KEY_BYTES));
}

/** Returns what names a salt without revealing it: an HMAC under a separate key, which signs nothing. */
export function fingerprintOf(salt: string): string {
  return createHmac("sha256", derive(salt, "cfbe/fingerprint")).update("salt").digest("base64url");
}

/**
 * Creates a keyring.
 *
 * @param salts the site's salt, then other accepted salts
 * @param identity the salt for `identify`; the last accepted one by default
 */
export function createKeyring(
  salts: readonly [string, ...string[]],
  identity = salts.at(-1)!,
): Keyring {
  const cache = new Map<Purpose, Uint8Array<ArrayBuffer>[]>();
  const hmacs = new Map<Purpose, Hmac[]>();
  let fingerprints: string[] | undefined;

  function keysFor(purpose: Purpose): Uint8Array<ArrayBuffer>[] {
    let derived = cache.get(purpose);
    if (!derived) {
      const { rotates } = KINDS[declarationOf(purpose).kind];
      derived = (rotates ? salts : [identity]).map((salt) => derive(salt, purpose));
      cache.set(purpose, derived);
    }
    return derived;
  }

  function hmacsFor(purpose: Purpose): Hmac[] {
    let found = hmacs.get(purpose);
    if (!found) hmacs.set(purpose, found = keysFor(purpose).map(hmacWith));
    return found;
  }

  const newest = (purpose: Purpose, text: string) => hmacsFor(purpose)[0]!(text).toString("base64url");

  return {
    keysFor,
    siteKeys: (site) => salts.map((salt) => deriveKey(salt, `${"cfbe/site" satisfies Purpose}/${site}`)),
    generation: {},
    fingerprints: () => fingerprints ??= salts.map(fingerprintOf),
    sign: newest,
    identify: newest,
    verify(purpose, text, signature) {
      return verifies(hmacsFor(purpose), text, signature);
    },
  };
}

export type Hmac = (text: string) => Buffer;

/** Returns whether one of the keys has signed a text. Takes constant time for signatures of the same length. */
export function verifies(hmacs: readonly Hmac[], text: string, signature: string): boolean {
  const given = Buffer.from(signature, "base64url");
  // Decoding is lenient, so accept only the encoding that signing produces.
  // Not timing-sensitive: the given signature is compared with its own encoding.
  if (given.length !== KEY_BYTES || given.toString("base64url") !== signature) return false;
  let found = false;
  for (const hmac of hmacs) {
    if (timingSafeEqual(hmac(text), given)) found = true;
  }
  return found;
}

/** A block of SHA-256, and the bytes with which HMAC fills the key's block (RFC 2104). */
const BLOCK_BYTES = 64;
const [INNER, OUTER] = [0x36, 0x5c];

/**
 * Returns HMAC-SHA256 with a key of at most 64 bytes. Both hashes continue from a copy of their state after the key's
 * block, which takes half the time of `createHmac`: four instead of eight microseconds.
 */
export function hmacWith(key: Uint8Array): Hmac {
  const started = (fill: number): Hash => {
    const block = Buffer.alloc(BLOCK_BYTES, fill);
    key.forEach((byte, at) => block[at]! ^= byte);
    return createHash("sha256").update(block);
  };
  const [inner, outer] = [started(INNER), started(OUTER)];
  return (text) => outer.copy().update(inner.copy().update(text, "utf8").digest()).digest();
}

/**
 * Returns whether two secrets are equal. The time taken reveals neither their lengths nor how much of them
 * matches. An empty or unset expected value matches nothing (contract 7.2).
 */
export function secretsEqual(given: string | undefined, expected: string | undefined): boolean {
  const digest = (text: string) => createHash("sha256").update(text, "utf8").digest();
  const equal = timingSafeEqual(digest(given ?? ""), digest(expected ?? ""));
  return equal && expected !== undefined && expected !== "";
}
