/**
 * Fetches form tokens (contract 3.8), and detects caches that serve old ones.
 *
 * The response says `no-store`, but some caches are configured to ignore that. The server silently drops signups
 * whose token is older than two hours (contract 4.5), so such a cache would silently lose every signup.
 */
import type { FormToken } from "../../../shared/contract.ts";
import { NAMESPACE } from "../../../shared/contract.ts";
import type { FetchJson, Load, Parts } from "../host/context.ts";

/** A token whose time differs from the visitor's clock by more than this is suspicious: it may come from a cache. */
export const MAX_CLOCK_DIFFERENCE_MS = 60_000;

/**
 * Returns a function that fetches tokens for a form. In attack mode, the solution of a challenge follows the token.
 *
 * @param form name by which the server counts form views; contains nothing about the visitor
 * @returns the function; its argument is appended to the URL
 */
export const tokenFetcher =
  (fetchJson: FetchJson, load: Load, form: string) => async (suffix: string): Promise<string> => {
    const path = `${NAMESPACE}/form-token?form=${encodeURIComponent(form)}${suffix}`;
    const [, json] = await fetchJson(path);
    const { token, challenge } = json as FormToken;
    if (!token) throw new Error("no data");
    return challenge ? (await load("challenge")).start(token, challenge) : token;
  };

/**
 * Returns a token that comes from the server, not from a cache.
 *
 * Headers are no help: `Age` and `Date` cannot be read across origins, and caches rewrite both. The token contains
 * its time, but the visitor's clock may be wrong. A suspicious token is therefore fetched a second time.
 *
 * @param get fetches a token; its argument is appended to the URL
 * @param load loads the code that bypasses caches
 * @throws {Error} if every token comes from a cache
 */
export async function fetchFreshToken(
  get: (suffix: string) => Promise<string>,
  load: (name: "uncached") => Promise<Pick<Parts["uncached"], "start">>,
): Promise<string> {
  const first = await get("");
  return Math.abs(Date.now() - parseInt(first)) > MAX_CLOCK_DIFFERENCE_MS
    ? (await load("uncached")).start(get, first)
    : first;
}
