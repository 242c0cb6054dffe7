import { oneLineText } from "../../../../shared/fields/plain_text.ts";
import { isLoopback } from "../../config/config.ts";
import { CHALLENGE } from "./pkce.ts";

/** What a site asks an admin for, as its plugin puts it into the URL of the page (OAuth 2.0 with PKCE). */
export interface ConnectRequest {
  /** URL of the site's home page, without a slash at the end. It identifies the site. */
  url: string;
  /** What the site calls itself. Shown beside its URL, never in place of it. */
  name: string;
  /** Where the browser is sent with the code. */
  redirectUri: string;
  state: string;
  challenge: string;
  /** Empties the page caches of the site; absent if it has no such URL. */
  purgeUrl?: string;
  /** Whether it has a shop whose orders cfbe can read. */
  hasShop: boolean;
}

/** The members of the query, which an action gets again as its input. */
export const CONNECT_FIELDS = [
  "site",
  "name",
  "redirect_uri",
  "state",
  "code_challenge",
  "code_challenge_method",
  "purge_url",
  "shop",
] as const;

/** The URL of a site is stored in a row with those of all sites. */
const MAX_URL_CHARACTERS = { site: 200, redirect: 500, purge: 300 };
const MAX_NAME_CHARACTERS = 40;
const STATE = /^[\w.~-]{16,200}$/;

/** What is wrong with a request. Nobody is redirected for it: where to would be up to whoever made the link. */
export class InvalidRequest extends Error {
  override readonly name = "InvalidRequest";
}

/**
 * Reads the request of a site. The pages to which it leads belong to the site that the admin is shown: all its URLs have
 * one origin, which is https or on this machine.
 *
 * @throws {InvalidRequest}
 */
export function readConnectRequest(query: URLSearchParams): ConnectRequest {
  for (const field of CONNECT_FIELDS) {
    if (query.getAll(field).length > 1) throw new InvalidRequest(`The link has “${field}” twice.`);
  }
  const get = (field: typeof CONNECT_FIELDS[number]) => query.get(field) ?? "";
  const url = siteUrl(get("site"));
  if (!url) {
    throw new InvalidRequest(
      "The site must have an https URL, or be on this machine. Set up https for WordPress first.",
    );
  }
  const { origin } = new URL(url);
  const redirect = safeUrl(get("redirect_uri"), MAX_URL_CHARACTERS.redirect);
  if (redirect?.origin !== origin) {
    throw new InvalidRequest(
      "The page to return to is not on the site's own origin. If WordPress's admin has another domain than the site, " +
        "add the site by hand on the page Connected sites.",
    );
  }
  if (!STATE.test(get("state")) || !CHALLENGE.test(get("code_challenge"))) {
    throw new InvalidRequest("The link is incomplete. Start again in WordPress, under Settings → cfbe.");
  }
  if (get("code_challenge_method") !== "S256") {
    throw new InvalidRequest("The link has no code challenge of the method S256. Update the plugin.");
  }
  const purge = get("purge_url") === "" ? undefined : safeUrl(get("purge_url"), MAX_URL_CHARACTERS.purge);
  if (get("purge_url") !== "" && purge?.origin !== origin) {
    throw new InvalidRequest("The URL that empties page caches is not on the site's own origin.");
  }
  return {
    url,
    name: siteName(get("name")),
    redirectUri: redirect.href,
    state: get("state"),
    challenge: get("code_challenge"),
    ...(purge && { purgeUrl: purge.href }),
    hasShop: get("shop") === "woocommerce",
  };
}

/** Returns the URL of a site's home page in one spelling; undefined if it is not https, or on this machine. */
export function siteUrl(text: string): string | undefined {
  const url = safeUrl(text, MAX_URL_CHARACTERS.site);
  if (!url || url.search !== "") return undefined;
  return url.origin + url.pathname.replace(/\/+$/, "");
}

/** Returns a name without what is more than text; empty if there is none. */
export function siteName(text: string): string {
  return [...oneLineText(text) ?? ""].slice(0, MAX_NAME_CHARACTERS).join("").trim();
}

/** Returns a URL without credentials and fragment, over https or to this machine. Its host is in ASCII. */
function safeUrl(text: string, maxCharacters: number): URL | undefined {
  const url = text.length <= maxCharacters ? URL.parse(text) : null;
  if (!url || url.username !== "" || url.password !== "" || url.hash !== "" || text.includes("#")) {
    return undefined;
  }
  return url.protocol === "https:" || url.protocol === "http:" && isLoopback(url.href) ? url : undefined;
}

/** Returns the URL that takes the browser back to the site, with these parameters added to its own. */
export function returnUrl(redirectUri: string, parameters: Record<string, string>): string {
  const url = new URL(redirectUri);
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return url.href;
}
