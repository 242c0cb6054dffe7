import type { MiddlewareHandler } from "hono";
import { cors } from "hono/cors";

/** How long browsers may cache the response to a preflight request. */
const PREFLIGHT_SECONDS = 2 * 60 * 60;

/**
 * Allows pages on the allowed origins to call a route, without credentials. If the list is empty, every page may.
 *
 * @param allowed returns the allowed origins; called for each request
 */
export function widgetCors(allowed: () => readonly string[]): MiddlewareHandler {
  return cors({
    origin(origin) {
      const origins = allowed();
      if (origins.length === 0) return "*";
      return origins.includes(origin) ? origin : null;
    },
    allowMethods: ["GET", "POST", "OPTIONS"],
    allowHeaders: ["content-type", "x-wp-nonce"],
    exposeHeaders: ["Retry-After"],
    maxAge: PREFLIGHT_SECONDS,
  });
}
