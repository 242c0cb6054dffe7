import type { Hono } from "hono";
import type { Fetch } from "../platform/deps.ts";
import type { Background } from "./account/background.ts";

/**
 * Handles requests to URLs below `base` by calling `app`, and passes all others to `outside`. Like the real
 * fetch, it rejects as soon as the caller's signal aborts, whatever the app is doing. What it is doing then becomes
 * work in the background.
 */
export function localFetch(
  app: Hono,
  { base, outside, background }: { base: string; outside: Fetch; background: Background },
): Fetch {
  return async (input, init = {}) => {
    if (!`${input}`.startsWith(`${base}/`)) return await outside(input, init);
    const { signal } = init;
    signal?.throwIfAborted();
    const response = Promise.resolve(app.fetch(new Request(input, init)));
    if (!signal) return await response;
    const aborted = Promise.withResolvers<never>();
    const abort = () => {
      background.run("sandbox.call_failed", async () => void await response);
      aborted.reject(signal.reason);
    };
    signal.addEventListener("abort", abort, { once: true });
    try {
      return await Promise.race([response, aborted.promise]);
    } finally {
      signal.removeEventListener("abort", abort);
    }
  };
}
