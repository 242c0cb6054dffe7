import { createHash, createHmac, hkdfSync, timingSafeEqual } from "node:crypto";
import { Buffer } from "node:buffer";

/** What a key may be used for: one key a purpose, so that a signature made for one never opens another (decision 8). */
export type Purpose =
  | "cfbe/form-token"
  | "cfbe/form-config"
  | "cfbe/wp_rest"
  | "cfbe/mailbox"
  | "cfbe/cart"
  | "cfbe/cart-link"
  | "cfbe/cart-stop"
  | "cfbe/order"
  | "cfbe/coupon"
  | "cfbe/contact"
  | "cfbe/admin-nonce"
  | "cfbe/admin-credential"
  | "cfbe/admin-device"
  | "cfbe/admin-query"
  | "cfbe/audit"
  | "cfbe/subject"
  | "cfbe/seal"
  | "cfbe/backup"
  | "cfbe/fingerprint";

/** Signing and sealing under the site's salt, with earlier salts still accepted. */
export interface Keyring {
  /** base64url without padding of HMAC-SHA256 under the newest salt. */
  sign(purpose: Purpose, text: string): string;
  /** Constant in time for signatures of one length; tries each accepted salt; never throws. */
  verify(purpose: Purpose, text: string, signature: string): boolean;
  /**
   * A name for something that must not be stored in the clear. Made under one salt for good, so that a change of
   * salt doesn't turn every mailbox into a stranger while the old one is still listed.
   */
  identify(purpose: Purpose, text: string): string;
  /** Raw 32-byte keys, newest first: for sealing, which needs the key itself. */
  keysFor(purpose: Purpose): Uint8Array<ArrayBuffer>[];
}

const KEY_BYTES = 32;

/**
 * @param salts the site's salt, then others that are accepted
 * @param identity which of them names are made under, as an index; the last unless given
 */
export function createKeyring(
  salts: readonly [string, ...string[]],
  identity = salts.length - 1,
): Keyring {
  const cache = new Map<Purpose, Uint8Array<ArrayBuffer>[]>();

  function keysFor(purpose: Purpose): Uint8Array<ArrayBuffer>[] {
    let derived = cache.get(purpose);
    if (!derived) {
      derived = salts.map((salt) => new Uint8Array(hkdfSync("sha256", salt, "", purpose, KEY_BYTES)));
      cache.set(purpose, derived);
    }
    return derived;
  }

  const hmac = (key: Uint8Array, text: string) => createHmac("sha256", key).update(text, "utf8").digest();

  return {
    keysFor,
    sign(purpose, text) {
      return hmac(keysFor(purpose)[0]!, text).toString("base64url");
    },
    identify(purpose, text) {
      return hmac(keysFor(purpose)[identity]!, text).toString("base64url");
    },
    verify(purpose, text, signature) {
      const given = Buffer.from(signature, "base64url");
      // Decoding is lenient; only the one spelling that signing produces is a signature.
      // Not timing-sensitive: the given signature is compared with its own encoding.
      if (given.length !== KEY_BYTES || given.toString("base64url") !== signature) return false;
      let found = false;
      for (const key of keysFor(purpose)) {
        if (timingSafeEqual(hmac(key, text), given)) found = true;
      }
      return found;
    },
  };
}

/**
 * Returns whether two secrets are equal. The time taken reveals neither their lengths nor how much of them matches. An
 * empty or unset expected value matches nothing (contract 7.2).
 */
export function secretsEqual(given: string | undefined, expected: string | undefined): boolean {
  const digest = (text: string) => createHash("sha256").update(text, "utf8").digest();
  const equal = timingSafeEqual(digest(given ?? ""), digest(expected ?? ""));
  return equal && expected !== undefined && expected !== "";
}
