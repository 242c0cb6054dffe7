import { isLoopback } from "../../config.ts";

/** What the checks need to know: the public address, and the origins whose pages may embed forms. */
interface Site {
  baseUrl: string;
  /** `general.origins`; empty allows every page. */
  origins: readonly string[];
}

const ORIGIN_MAX = 255;

/** Returns the origin of the page that sent the request; a sandboxed frame, among others, has none to name. */
export function pageOrigin(headers: Headers): string | undefined {
  const origin = headers.get("origin");
  return origin && origin !== "null" && origin.length <= ORIGIN_MAX ? origin : undefined;
}

/**
 * Returns true for a request from a page that is neither one of the allowed origins nor one of our own. Requests
 * without `Origin` come from no page. `Origin: null` may come from anywhere, so it is foreign.
 */
export function isForeignOrigin(headers: Headers, { baseUrl, origins }: Site): boolean {
  const origin = headers.get("origin");
  if (origin === null || origins.length === 0) return false;
  return !origins.includes(origin) && !isOwnPage(origin, baseUrl);
}

/**
 * Our pages are those of the public address, whatever the Host says: anybody can let a name of theirs lead here. On one's
 * own machine that address has several spellings.
 */
function isOwnPage(origin: string, baseUrl: string): boolean {
  if (origin === new URL(baseUrl).origin) return true;
  return URL.canParse(origin) && isLoopback(origin) && isLoopback(baseUrl);
}

/**
 * Returns true if a page sent the request with a content type for which browsers ask no permission first. Such a
 * request would get past the allowed origins; a server's may carry any type.
 */
export function skipsPreflight(headers: Headers): boolean {
  if (!headers.has("origin")) return false;
  const type = headers.get("content-type")?.split(";")[0]?.trim().toLowerCase();
  return type !== "application/json";
}
