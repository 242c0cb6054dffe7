import type { Context, MiddlewareHandler } from "hono";
import { nameOf } from "../../platform/audit/actor_name.ts";
import { refuse } from "../../platform/http/errors.ts";
import type { Action } from "../frame/action.ts";
import { ACTION_PARAMETERS } from "../frame/action_parameters.ts";
import type { Screens } from "./screens.ts";
import { actorMay } from "../auth/actor.ts";
import type { HasActor } from "../auth/guards.ts";
import { checkNonce } from "../auth/nonce.ts";
import { notAllowed } from "../frame/refusal.ts";
import type { AdminServices } from "../frame/services.ts";

/** The context variables of handlers after `actionAccess`. */
export interface HasAction {
  Variables: {
    /** Undefined if a client with the API token names the action in the body. */
    action: string | undefined;
    /** Whether the page has been open for too long, so that the action is refused. */
    expired: boolean;
    /** Whether the values may only be checked and previewed, and the action not run. */
    checkOnly: boolean;
  };
}

/** How a route reports that an action was refused. */
type Refuse = (c: Context, status: 403 | 404, code: string, message: string) => Promise<Response>;

/**
 * Refuses a request whose URL has no valid nonce, or an action that the actor may not run. The body is read after this.
 * Actions without a capability can be refused later too: a client with the API token may name the action in the body.
 *
 * @param allowed further condition on the action
 */
export function actionAccess(
  app: AdminServices,
  { actionNamed, hasPreview }: Screens,
  respond: Refuse,
  allowed: (action: Action) => boolean = () => true,
): MiddlewareHandler<HasActor & HasAction> {
  return async (c, next) => {
    const { actor } = c.var;
    const name = c.req.query(ACTION_PARAMETERS.action);
    c.set("action", name);
    c.set("expired", false);
    c.set("checkOnly", false);
    if (actor.kind === "user") {
      const nonce = c.req.query(ACTION_PARAMETERS.nonce) ?? "";
      const state = checkNonce(app.keyring, actor.session, name ?? "", app.clock.now(), nonce);
      if (state === "invalid") return await respond(c, 403, "bad_nonce", PAGE_EXPIRED);
      c.set("expired", state === "expired");
    } else if (name === undefined) return await next();
    const action = actionNamed(name ?? "");
    if (!action || !allowed(action)) {
      const message = `There is no action named ${(name ?? "").slice(0, 80)} at this address.`;
      return await respond(c, 404, "unknown_action", message);
    }
    const checkOnly = c.req.query(ACTION_PARAMETERS.checkOnly) !== undefined && hasPreview(action.name);
    c.set("checkOnly", checkOnly);
    const capability = checkOnly ? "view" : action.capability;
    if (!await actorMay(app.hooks, actor, capability)) {
      return await respond(c, 403, "not_allowed", await notAllowed(app.hooks, actor, capability));
    }
    return await next();
  };
}

export const PAGE_EXPIRED = "This page has expired. Nothing was changed. Please try again.";

/** Lets one request of each user through at a time, and refuses others with 429. */
export function onePerUser(): MiddlewareHandler<HasActor> {
  const running = new Set<string>();
  return async (c, next) => {
    const { actor } = c.var;
    const who = actor.kind === "user" ? `user ${actor.name}` : nameOf(actor);
    if (running.has(who)) {
      const detail = "Another upload of yours is in progress. Nothing was changed. Try again in a moment.";
      return await refuse(c, "rate_limited", { detail, retryAfterMs: 1000 });
    }
    running.add(who);
    try {
      return await next();
    } finally {
      running.delete(who);
    }
  };
}
