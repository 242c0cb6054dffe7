import type { Context, MiddlewareHandler } from "hono";
import type { Clock } from "../../deps.ts";
import { grants, missingScopeText, type Scope } from "../../tokens/scopes.ts";
import { withDatabaseTimeout } from "../database_timeout.ts";
import { refuse } from "../errors.ts";
import { type TokenActor, tokenActorOf, type TokenDeps } from "../token_actor.ts";

export interface HasTokenActor {
  Variables: { actor: TokenActor };
}

/**
 * Refuses requests without a valid API token with 401. Compares it in constant time. Not Hono's `bearerAuth`, because that
 * responds with 400 to a malformed header and refuses tokens with characters that `CFBE_API_TOKEN` may contain.
 *
 * @throws {DatabaseTimeout} if the database does not respond within 10 seconds
 */
export function apiToken(deps: TokenDeps & { clock: Clock }): MiddlewareHandler<HasTokenActor> {
  return async (c, next) => {
    const actor = await withDatabaseTimeout(tokenActorOf(c.req.raw.headers, deps), deps.clock);
    if (actor) {
      c.set("actor", actor);
      return await next();
    }
    c.header("WWW-Authenticate", "Bearer");
    return refuse(c, "unauthorized");
  };
}

/** Refuses a token without the scope with 403, and names it (RFC 6750). Requires `apiToken` before it. */
export function needsScope(
  scopeOf: Scope | ((c: Context) => Scope),
): MiddlewareHandler<HasTokenActor> {
  return async (c, next) => {
    const scope = typeof scopeOf === "string" ? scopeOf : scopeOf(c);
    if (grants(c.var.actor.scopes, scope)) return await next();
    c.header("WWW-Authenticate", `Bearer error="insufficient_scope", scope="${scope}"`);
    return refuse(c, "forbidden", { detail: missingScopeText(scope) });
  };
}
