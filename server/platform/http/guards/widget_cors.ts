import type { MiddlewareHandler } from "hono";
import { cors } from "hono/cors";

/** How long browsers may cache the response to a preflight request. */
const PREFLIGHT_SECONDS = 2 * 60 * 60;

const EXPOSED = "Retry-After";

/**
 * Allows pages on the allowed origins to call a route, without credentials. If the list is empty, every page may.
 *
 * @param allowed returns the allowed origins; called for each request
 */
export function widgetCors(allowed: () => readonly string[]): MiddlewareHandler {
  function allowedOrigin(origin: string): string | null {
    const origins = allowed();
    if (origins.length === 0) return "*";
    return origins.includes(origin) ? origin : null;
  }
  const preflight = cors({
    origin: allowedOrigin,
    allowMethods: ["GET", "POST", "OPTIONS"],
    allowHeaders: ["content-type", "x-wp-nonce"],
    exposeHeaders: [EXPOSED],
    maxAge: PREFLIGHT_SECONDS,
  });
  return async (c, next) => {
    if (c.req.method === "OPTIONS") return await preflight(c, next);
    const origin = allowedOrigin(c.req.header("origin") ?? "");
    await next();
    const { headers } = c.res;
    if (origin) headers.set("Access-Control-Allow-Origin", origin);
    headers.set("Access-Control-Expose-Headers", EXPOSED);
    headers.append("Vary", "Origin");
  };
}
