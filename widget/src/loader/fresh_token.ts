/**
 * Fetches form tokens (contract 3.8), and detects caches that serve old ones.
 *
 * The response says `no-store`, but some caches are configured to ignore that. The server silently drops signups
 * whose token is older than two hours (contract 4.5), so such a cache would silently lose every signup.
 */
import type { FormToken } from "../../../shared/contract.ts";
import { NAMESPACE } from "../../../shared/contract.ts";
import type { FetchJson, Parts } from "../host/context.ts";

/** A token whose time differs from the visitor's clock by more than this is suspicious: it may come from a cache. */
export const MAX_CLOCK_DIFFERENCE_MS = 60_000;

/** Returns whether a token's time is so far from the visitor's clock that it may come from a cache. */
export const mayBeCached = (token: string): boolean =>
  Math.abs(Date.now() - parseInt(token)) > MAX_CLOCK_DIFFERENCE_MS;

/**
 * Returns a token that comes from the server, not from a cache. In attack mode, the solution of a challenge follows it.
 *
 * Headers are no help: `Age` and `Date` cannot be read across origins, and caches rewrite both. The token contains
 * its time, but the visitor's clock may be wrong. A suspicious token is therefore fetched a second time.
 *
 * @param form name by which the server counts form views; contains nothing about the visitor
 * @param load loads the code for suspicious tokens and challenges
 * @throws {Error} if there is none, or if every token comes from a cache
 */
export async function fetchFreshToken(
  fetchJson: FetchJson,
  form: string,
  load: (name: "token") => Promise<Pick<Parts["token"], "start">>,
): Promise<string> {
  const path = `${NAMESPACE}/form-token?form=${encodeURIComponent(form)}`;
  const [, json] = await fetchJson(path);
  const { token, challenge } = json as FormToken;
  if (!token) throw new Error("no data");
  return challenge || mayBeCached(token)
    ? (await load("token")).start(fetchJson, path, json as FormToken)
    : token;
}
