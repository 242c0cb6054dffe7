import type { MiddlewareHandler } from "hono";
import { refuse } from "../../platform/http/errors.ts";
import type { Actor } from "./actor.ts";
import { type ActorDeps, actorOf } from "./identify.ts";

/** The context variables of handlers after `signedIn`. */
export interface HasActor {
  Variables: { actor: Actor };
}

/** Refuses with 401 a request that has neither a session nor the API token. */
export function signedIn(app: ActorDeps): MiddlewareHandler<HasActor> {
  return async (c, next) => {
    const actor = await actorOf(app, c.req.raw.headers);
    if (!actor) return await refuse(c, "unauthorized");
    c.set("actor", actor);
    return await next();
  };
}

/** Refuses with 401 a request without a session, even one with the API token. */
export function userSession(app: ActorDeps): MiddlewareHandler<HasActor> {
  return async (c, next) => {
    const actor = await actorOf(app, c.req.raw.headers);
    if (actor?.kind !== "user") return await refuse(c, "unauthorized");
    c.set("actor", actor);
    return await next();
  };
}
