import { createHmac } from "node:crypto";
import { secretsEqual } from "../../platform/keys/keyring.ts";
import type { WebhookRequest } from "./webhook.ts";

/** How a provider proves that a webhook call is its own. Signatures are hex HMAC-SHA256 over the raw body. */
export type WebhookAuth =
  /**
   * A header `t=<Unix seconds>,v1=<signature>` over the time, a dot and the body. It has several `v1` while the provider
   * replaces its secret.
   */
  | { kind: "timed"; header: string; toleranceMs: number }
  /**
   * A header with the signature of the body; of the body and the time, if the time has a header of its own. The time is in
   * Unix seconds or an HTTP date. `prefix` precedes the signature.
   */
  | { kind: "plain"; header: string; prefix?: string; time?: { header: string; toleranceMs: number } }
  /** A header with the secret, after an authorization scheme such as Bearer or Basic if there is one. */
  | { kind: "secret"; header: string; scheme?: string };

type Signed = Pick<WebhookRequest, "headers" | "body">;

/**
 * Returns whether the provider sent a webhook call: its signature is right and recent. Compares in constant time. An empty
 * secret makes every call false.
 *
 * @param now Unix milliseconds
 */
export function isFromProvider(
  auth: WebhookAuth,
  { headers, body }: Signed,
  { secret, now }: { secret: string; now: number },
): boolean {
  if (secret === "") return false;
  const given = headers.get(auth.header) ?? "";
  const isRecent = (time: string, toleranceMs: number) => Math.abs(now - sentAt(time)) <= toleranceMs;
  switch (auth.kind) {
    case "timed": {
      const parts = given.split(",").map((part) => part.trim());
      const valuesOf = (name: string) =>
        parts.filter((part) => part.startsWith(`${name}=`)).map((part) => part.slice(name.length + 1));
      const [time = ""] = valuesOf("t");
      if (!isRecent(time, auth.toleranceMs)) return false;
      const expected = signature(secret, [`${time}.`, body]);
      return valuesOf("v1").some((value) => secretsEqual(value.toLowerCase(), expected));
    }
    case "plain": {
      const time = auth.time && (headers.get(auth.time.header) ?? "");
      if (auth.time && !isRecent(time!, auth.time.toleranceMs)) return false;
      const expected = signature(secret, [body, time ?? ""]);
      return secretsEqual(given.toLowerCase(), `${auth.prefix ?? ""}${expected}`);
    }
    case "secret":
      return secretsEqual(given, auth.scheme === undefined ? secret : `${auth.scheme} ${secret}`);
  }
}

/** Returns the Unix milliseconds of a time in Unix seconds or as an HTTP date (RFC 9110 §5.6.7); NaN if it is neither. */
function sentAt(time: string): number {
  if (/^\d{1,12}$/.test(time)) return Number(time) * 1000;
  return /^[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT$/.test(time) ? Date.parse(time) : NaN;
}

function signature(secret: string, parts: readonly (string | Uint8Array)[]): string {
  const hmac = createHmac("sha256", secret);
  for (const part of parts) hmac.update(part);
  return hmac.digest("hex");
}
