import { createHmac } from "node:crypto";
import { secretsEqual } from "../../platform/keys/keyring.ts";

/** Returns the base64 HMAC-SHA256 of a raw body, as WooCommerce and Shopify sign. */
function base64Signature(secret: string, body: Uint8Array): string {
  return createHmac("sha256", secret).update(body).digest("base64");
}

/** Checks a signature in constant time. With an empty secret, no signature is valid. */
export function isBase64Signed(given: string | null, body: Uint8Array, secret: string): boolean {
  return secret !== "" && secretsEqual(given ?? undefined, base64Signature(secret, body));
}
