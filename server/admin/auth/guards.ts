import type { MiddlewareHandler } from "hono";
import { refuse } from "../../platform/http/errors.ts";
import type { AdminServices } from "../frame/services.ts";
import { adminHref } from "../frame/view.ts";
import { type Actor, actorMay } from "./actor.ts";
import type { Capability } from "./capability.ts";
import { type ActorDeps, actorOf } from "./identify.ts";
import { messagePage, signInPage } from "./sign_in_page.tsx";

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

/**
 * Lets a download through if the actor has its capability. Others get a page, because a link leads here: the sign-in
 * page, or `message` and 403.
 *
 * @param page path in the admin that signing in leads to
 */
export function downloadAccess(
  app: AdminServices,
  { page, capability, message }: { page: string; capability: Capability; message: string },
): MiddlewareHandler<HasActor> {
  const href = (path: string) => adminHref(app, path);
  return async (c, next) => {
    const actor = await actorOf(app, c.req.raw.headers);
    if (!actor) return c.html(signInPage({ href, next: page, name: "" }), 401);
    if (!await actorMay(app.hooks, actor, capability)) {
      return c.html(messagePage({ href, title: "Not allowed", message }), 403);
    }
    c.set("actor", actor);
    return await next();
  };
}
