import { bearerOf } from "../../platform/http/bearer.ts";
import { tokenActorOf, type TokenDeps } from "../../platform/http/token_actor.ts";
import type { Hooks } from "../../settings/hooks/hooks.ts";
import type { Admin } from "./admin.ts";
import { type Actor, actorMay } from "./actor.ts";

export interface ActorDeps extends TokenDeps {
  admin: Pick<Admin, "sessions" | "cookies">;
}

/** Returns the actor of a request, from an API token or its session cookie. */
export async function actorOf(app: ActorDeps, headers: Headers): Promise<Actor | undefined> {
  // With a wrong token, a valid cookie does not count.
  if (bearerOf(headers) !== undefined) return await tokenActorOf(headers, app);
  const { sessions, cookies } = app.admin;
  const session = await sessions.find(cookies.sessionOf(headers));
  if (!session) return undefined;
  const { name, role } = session.user;
  return { kind: "user", name, role, session };
}

/** Returns whether a request may change settings, for the sandbox and the demo page (decision 33). */
export async function mayChangeSettings(
  app: ActorDeps & { hooks: Hooks },
  request: Request,
): Promise<boolean> {
  const actor = await actorOf(app, request.headers);
  return actor !== undefined && await actorMay(app.hooks, actor, "settings");
}
