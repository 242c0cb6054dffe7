import type { MiddlewareHandler } from "hono";
import { refuse } from "../errors.ts";
import { type TokenActor, tokenActorOf } from "../token_actor.ts";

export interface HasTokenActor {
  Variables: { actor: TokenActor };
}

/**
 * Refuses requests without the API token with 401. Compares it in constant time. Not Hono's `bearerAuth`, because that
 * responds with 400 to a malformed header and refuses tokens with characters that `CFBE_API_TOKEN` may contain.
 */
export function apiToken(config: { apiToken?: string | undefined }): MiddlewareHandler<HasTokenActor> {
  return async (c, next) => {
    const actor = tokenActorOf(c.req.raw.headers, config.apiToken);
    if (actor) {
      c.set("actor", actor);
      return await next();
    }
    c.header("WWW-Authenticate", "Bearer");
    return refuse(c, "unauthorized");
  };
}
