import type { MiddlewareHandler } from "hono";
import { cors } from "hono/cors";

/** Browsers may keep the answer to a preflight request this long. */
const PREFLIGHT_SECONDS = 2 * 60 * 60;

/**
 * Lets pages call a route: those of the allowed origins, or all while there are none; never with credentials.
 *
 * @param allowed the allowed origins now
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
