import type { FetchJson } from "../host/context.ts";

/** Limit for all attempts together: the longest time that a visitor waits for a result. */
const TIMEOUT_MS = 15_000;

/**
 * Returns a function that sends requests to one server.
 *
 * @param base URL of the server's root, without a trailing slash
 */
export const fetchJsonFrom = (base: string): FetchJson => async (path, init) => {
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  // Milliseconds between attempts: the server may be restarting for an update.
  const pauses = [500, 1500, 4000];
  for (;;) {
    const pause = pauses.shift();
    try {
      const response = await fetch(base + path, { cache: "no-store", ...init, signal });
      const json = await response.json().catch(() => {});
      // An error without JSON does not come from the server, but from a gateway in front of it.
      if (json || !pause || response.status < 500) return [response.status, json];
    } catch (error) {
      // Retrying is pointless after a timeout and without a network connection.
      if (!pause || signal.aborted || !navigator.onLine) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, pause));
  }
};
