/** What to do with a fill-time token that a cache may have kept. Few visitors need it, so it is a part of its own. */
import { DOUBT_MS } from "./fresh_token.ts";

/**
 * Replaces a doubtful token by one from an address that no cache has seen. If the first one was kept, the second is
 * newer by more than the moment in between.
 *
 * @param get asks for a token, at an address with this ending
 * @param first the doubtful token
 * @param warn tells the page's author
 * @throws {Error} when it is the same again: sending it could lose the signup, and saying so does not
 */
export async function replaceToken(
  get: (ending: string) => Promise<string>,
  first: string,
  warn: (message: string) => void = console.warn,
): Promise<string> {
  const second = await get(`&${Date.now()}`);
  const same = second === first;
  if (same || parseInt(second) - parseInt(first) > DOUBT_MS) {
    warn("[cfbe] a cache keeps form-token: exempt it");
  }
  if (same) throw new Error("stale token");
  return second;
}
