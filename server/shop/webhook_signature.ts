import { createHmac } from "node:crypto";
import { secretsEqual } from "../keys/keyring.ts";

/** @returns base64 of HMAC-SHA256 over the raw body, as WooCommerce and Shopify sign */
function base64Signature(secret: string, body: Uint8Array): string {
  return createHmac("sha256", secret).update(body).digest("base64");
}

/** In constant time. An empty secret signs nothing. */
export function isBase64Signed(given: string | null, body: Uint8Array, secret: string): boolean {
  return secret !== "" && secretsEqual(given ?? undefined, base64Signature(secret, body));
}
