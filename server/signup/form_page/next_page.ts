import type { Context, MiddlewareHandler } from "hono";
import { nextPageOf } from "../../settings/schema/success_url.ts";
import type { SubscribeDeps } from "../subscribe/route.ts";
import type { FormView } from "./view.tsx";

/** Returns the page that follows a signup; undefined if the form shows its message instead. */
export function nextPage(
  { config: { baseUrl }, settings }: Pick<SubscribeDeps, "config" | "settings">,
  { settings: { successUrl = "" } }: Pick<FormView, "settings">,
): URL | undefined {
  return nextPageOf(successUrl, { baseUrl, origins: settings.current().general.origins });
}

/**
 * Lets the form of a page lead to the next page: browsers apply `form-action` to redirects, too. It allows the scheme
 * instead of the origin, because that page may itself redirect, for example to `www`.
 */
export function allowNextPage(app: Pick<SubscribeDeps, "config" | "settings">): MiddlewareHandler {
  return async (c: Context<{ Variables: { view?: Pick<FormView, "settings"> } }>, next) => {
    await next();
    const url = c.var.view && nextPage(app, c.var.view);
    const policy = c.res.headers.get(POLICY);
    if (url && policy) c.header(POLICY, policy.replace("form-action", `form-action ${url.protocol}`));
  };
}

const POLICY = "Content-Security-Policy";
