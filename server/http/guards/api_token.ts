import type { MiddlewareHandler } from "hono";
import { secretsEqual } from "../../keys/keyring.ts";
import { bearerOf } from "../bearer.ts";
import { refuse } from "../errors.ts";

/**
 * Refuses requests without the API token with 401. Compares it in constant time. Not Hono's `bearerAuth`, because that
 * responds with 400 to a malformed header and refuses tokens with characters that `CFBE_API_TOKEN` may contain.
 */
export function apiToken(config: { apiToken?: string | undefined }): MiddlewareHandler {
  return async (c, next) => {
    if (secretsEqual(bearerOf(c.req.raw.headers), config.apiToken)) return await next();
    c.header("WWW-Authenticate", "Bearer");
    return refuse(c, "unauthorized");
  };
}
