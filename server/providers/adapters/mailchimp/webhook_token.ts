import { createHmac } from "node:crypto";

/**
 * The secret in the webhook's URL. Mailchimp recommends one, and not every webhook is signed. It is derived from the API
 * key, so that nothing has to be stored and a new key makes the old URL invalid.
 */
const PARAMETER = "cfbe_token";
const AT_END = new RegExp(`[?&]${PARAMETER}=([\\w-]*)$`);

/** Returns the secret, or undefined without an API key. */
export function webhookToken(apiKey: string): string | undefined {
  if (apiKey === "") return undefined;
  return createHmac("sha256", apiKey).update("cfbe webhook URL").digest("base64url");
}

/** Returns the secret of a call's URL. */
export function tokenOf(query: URLSearchParams | undefined): string | undefined {
  return query?.get(PARAMETER) ?? undefined;
}

/** Returns the URL with the secret at its end. */
export function withToken(url: string, token: string): string {
  return `${url}${url.includes("?") ? "&" : "?"}${PARAMETER}=${token}`;
}

/** Splits a URL into the part before the secret and the secret; undefined for a URL without one, which is not of a cfbe. */
export function splitToken(url: string): { url: string; token: string } | undefined {
  const found = AT_END.exec(url);
  return found ? { url: url.slice(0, found.index), token: found[1]! } : undefined;
}
