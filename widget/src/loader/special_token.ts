/** Form tokens that cannot be sent as they are. A separate part, because few visitors need it. */
import type { FormToken } from "../../../shared/contract.ts";
import type { FetchJson } from "../host/context.ts";
import { solve } from "../signup/challenge.ts";
import { MAX_CLOCK_DIFFERENCE_MS, mayBeCached } from "./fresh_token.ts";

/**
 * Replaces a token that may come from a cache, and solves its challenge. The second token is fetched from a URL that no
 * cache has seen. If the first token was cached, the second one is newer by more than the time between the two requests.
 *
 * @param path from where the token was fetched
 * @param answer the token, with its challenge
 * @param warn receives a warning for the developer of the page
 * @returns the token, in attack mode with its proof
 * @throws {Error} if both tokens are the same: sending it could lose the signup, an error message does not
 */
export async function start(
  fetchJson: FetchJson,
  path: string,
  answer: FormToken,
  warn: (message: string) => void = console.warn,
): Promise<string> {
  let { token, challenge } = answer;
  if (mayBeCached(token)) {
    const [, json] = await fetchJson(`${path}&${Date.now()}`);
    ({ token, challenge } = json as FormToken);
    const same = token === answer.token;
    if (same || parseInt(token) - parseInt(answer.token) > MAX_CLOCK_DIFFERENCE_MS) {
      warn("[cfbe] a cache stores form-token: exclude it from caching");
    }
    if (same || !token) throw new Error("stale token");
  }
  return challenge ? await solve(token, challenge) : token;
}
