import { createHash } from "node:crypto";

/** Returns the SHA-256 of bytes, or of a text in UTF-8, as base64url: 43 characters. */
export function sha256(data: Uint8Array | string): string {
  return createHash("sha256").update(data).digest("base64url");
}
