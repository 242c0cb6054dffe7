import type { FetchJson } from "../host/context.ts";

/** Limit for all attempts together: the longest time that a visitor waits for a result. */
const TIMEOUT_MS = 15_000;
/** No pause between two attempts is longer: there are four attempts. */
const MAX_PAUSE_MS = 6_000;

/**
 * Returns a function that sends requests to one server.
 *
 * @param base URL of the server's root, without a trailing slash
 */
export const fetchJsonFrom = (base: string): FetchJson => async (path, init) => {
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  // The server may be restarting. Each pause is twice the one before, and visitors that failed together do not return
  // together.
  for (let pause = 1000 + 500 * Math.random();; pause *= 2) {
    const isLast = pause > MAX_PAUSE_MS;
    try {
      const response = await fetch(base + path, { cache: "no-store", ...init, signal });
      const json = await response.json().catch(() => {});
      // An error without JSON comes from a gateway. The server itself asks for a retry, no later than the first pause, if
      // its error will pass.
      if (
        isLast || response.status < 500 ||
        json && !((response.headers.get("retry-after") as number | null ?? 9) <= 1)
      ) {
        return [response.status, json];
      }
    } catch (error) {
      // Retrying is pointless after a timeout and without a network connection.
      if (isLast || signal.aborted || !navigator.onLine) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, pause));
  }
};
