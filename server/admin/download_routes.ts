import { Hono, type MiddlewareHandler } from "hono";
import { errorsAs } from "../platform/http/errors.ts";
import { bodyLimit } from "../platform/http/guards/body_limit.ts";
import { formFields } from "../platform/http/guards/form_fields.ts";
import { titles } from "./action_table.ts";
import { auditDownload } from "./activity/audit_download.ts";
import type { Capability } from "./auth/capability.ts";
import { actorMay } from "./auth/actor.ts";
import type { HasActor } from "./auth/guards.ts";
import { actorOf } from "./auth/identify.ts";
import { adminHref } from "./frame/view.ts";
import { messagePage, signInPage } from "./shell/sign_in_page.tsx";
import { download, downloadSelected, SELECTION_BODY_BYTES } from "./subscribers/download.ts";
import { experimentDownload } from "./forms/experiment/experiment_download.ts";
import { formDownload } from "./forms/form_download.ts";
import { pluginDownload } from "./forms/plugin_download.ts";
import { overviewDownload } from "./activity/overview_download.ts";
import { searchErrors } from "./shell/search_route.ts";
import type { AdminServices } from "./frame/services.ts";
import { sourcesDownload } from "./activity/sources_download.ts";

/** Creates the routes of the admin's files: CSV exports, forms as JSON, and the WordPress plugin. */
export function downloadRoutes(app: AdminServices): Hono {
  const routes = new Hono();
  const allow = (
    page: string,
    capability: Capability,
    what: string,
  ) => downloadAccess(app, { page, capability, message: `You are not allowed to export ${what}.` });

  const people = allow("/subscribers", "people", "subscribers");
  routes.get("/subscribers/:file", people, download(app));
  routes.post(
    "/subscribers/:file",
    errorsAs(searchErrors(app)),
    people,
    bodyLimit(app, SELECTION_BODY_BYTES),
    formFields,
    downloadSelected(app),
  );
  routes.get("/forms/:file", allow("/forms", "view", "forms"), formDownload(app));
  routes.get("/wordpress/cfbe.zip", allow("/forms", "view", "the plugin"), pluginDownload());
  routes.get("/overview/days.csv", allow("/overview", "view", "these numbers"), overviewDownload(app));
  routes.get("/sources/sources.csv", allow("/sources", "view", "these numbers"), sourcesDownload(app));
  routes.get("/experiment/days.csv", allow("/experiment", "view", "these numbers"), experimentDownload(app));
  routes.get("/audit/audit.csv", allow("/audit", "personal", "the audit log"), auditDownload(app, titles));
  return routes;
}

/**
 * Lets a download through if the actor has its capability. Others get a page, because a link leads here: the sign-in
 * page, or `message` and 403.
 *
 * @param page path in the admin that signing in leads to
 */
function downloadAccess(
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
