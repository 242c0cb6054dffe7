/** Replaces a form token that may come from a cache. A separate part, because few visitors need it. */
import { MAX_CLOCK_DIFFERENCE_MS } from "./fresh_token.ts";

/**
 * Fetches a second token from a URL that no cache has seen. If the first token was cached, the second one is newer by
 * more than the time between the two requests.
 *
 * @param get fetches a token; its argument is appended to the URL
 * @param first the suspicious token
 * @param warn receives a warning for the developer of the page
 * @throws {Error} if both tokens are the same: sending it could lose the signup, an error message does not
 */
export async function start(
  get: (suffix: string) => Promise<string>,
  first: string,
  warn: (message: string) => void = console.warn,
): Promise<string> {
  const second = await get(`&${Date.now()}`);
  const same = second === first;
  if (same || parseInt(second) - parseInt(first) > MAX_CLOCK_DIFFERENCE_MS) {
    warn("[cfbe] a cache stores form-token: exclude it from caching");
  }
  if (same) throw new Error("stale token");
  return second;
}
