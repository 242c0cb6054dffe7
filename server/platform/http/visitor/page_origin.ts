import { isLoopback } from "../../config/config.ts";

/** The public URL, and the origins whose pages may embed forms. */
interface Site {
  baseUrl: string;
  /** `general.origins`; empty allows every page. */
  origins: readonly string[];
}

const ORIGIN_MAX = 255;

/** Returns the origin of the page that sent the request; undefined if it has none, as in a sandboxed frame. */
export function pageOrigin(headers: Headers): string | undefined {
  const origin = headers.get("origin");
  return origin && origin !== "null" && origin.length <= ORIGIN_MAX ? origin : undefined;
}

/**
 * Returns true for a request from a page on neither an allowed origin nor cfbe's own. A request without `Origin` does
 * not come from a page. `Origin: null` is foreign, because any page can send it.
 */
export function isForeignOrigin(headers: Headers, { baseUrl, origins }: Site): boolean {
  const origin = headers.get("origin");
  if (origin === null || origins.length === 0) return false;
  return !origins.includes(origin) && !isOwnPage(origin, baseUrl);
}

/**
 * cfbe's own pages are on the public URL, whatever the Host header says: anyone can point a domain at this server. On a
 * loopback address, `localhost` and `127.0.0.1` count as the same.
 */
function isOwnPage(origin: string, baseUrl: string): boolean {
  if (origin === new URL(baseUrl).origin) return true;
  return URL.canParse(origin) && isLoopback(origin) && isLoopback(baseUrl);
}

/**
 * Returns true if a page sent the request with a content type for which browsers send no preflight request. Such a
 * request would bypass the allowed origins. Requests from servers may have any type.
 */
export function skipsPreflight(headers: Headers): boolean {
  if (!headers.has("origin")) return false;
  return contentType(headers) !== "application/json";
}

/**
 * Returns true for plain text from a page on an allowed origin or on cfbe's own. No other page can send this `Origin`, so a
 * preflight request would add nothing. Without allowed origins it returns false, because nothing tells pages apart then.
 * Also false for what a page of such an origin can send without a script, such as an HTML form.
 */
export function isTextFromSite(headers: Headers, site: Site): boolean {
  if (site.origins.length === 0 || isForeignOrigin(headers, site)) return false;
  // Browsers send it to public URLs, which have HTTPS.
  const isFetched = (headers.get("sec-fetch-mode") ?? "cors") === "cors";
  return isFetched && contentType(headers) === "text/plain";
}

const contentType = (headers: Headers) => headers.get("content-type")?.split(";")[0]?.trim().toLowerCase();
