import { type Handler, Hono, type MiddlewareHandler } from "hono";
import { errorsAs, refuse } from "../platform/http/errors.ts";
import { bodyLimit } from "../platform/http/guards/body_limit.ts";
import { formFields } from "../platform/http/guards/form_fields.ts";
import { missingScopeText } from "../platform/tokens/scopes.ts";
import { titles } from "./action_table.ts";
import { auditDownload } from "./activity/audit_download.ts";
import type { Capability } from "./auth/capability.ts";
import { actorMay, missingScope } from "./auth/actor.ts";
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

interface Download {
  path: string;
  /** Path in the admin that signing in leads to. */
  page: string;
  capability: Capability;
  /** What it exports, in a sentence. */
  what: string;
  handler(app: AdminServices): Handler<HasActor>;
}

/** Every file that the admin offers. */
export const DOWNLOADS: readonly Download[] = [
  {
    path: "/subscribers/:file",
    page: "/subscribers",
    capability: "people",
    what: "subscribers",
    handler: download,
  },
  { path: "/forms/:file", page: "/forms", capability: "view", what: "forms", handler: formDownload },
  {
    path: "/wordpress/cfbe.zip",
    page: "/forms",
    capability: "view",
    what: "the plugin",
    handler: () => pluginDownload(),
  },
  {
    path: "/overview/days.csv",
    page: "/overview",
    capability: "view",
    what: "the figures by day",
    handler: overviewDownload,
  },
  {
    path: "/sources/sources.csv",
    page: "/sources",
    capability: "view",
    what: "the sources of signups",
    handler: sourcesDownload,
  },
  {
    path: "/experiment/days.csv",
    page: "/experiment",
    capability: "view",
    what: "the figures of an experiment",
    handler: experimentDownload,
  },
  {
    path: "/audit/audit.csv",
    page: "/audit",
    capability: "personal",
    what: "the audit log",
    handler: (app) => auditDownload(app, titles),
  },
];

/** Creates the routes of the admin's files: CSV exports, forms as JSON, and the WordPress plugin. */
export function downloadRoutes(app: AdminServices): Hono {
  const routes = new Hono();
  for (const each of DOWNLOADS) routes.get(each.path, downloadAccess(app, each), each.handler(app));
  const [subscribers] = DOWNLOADS;
  routes.post(
    subscribers!.path,
    errorsAs(searchErrors(app)),
    downloadAccess(app, subscribers!),
    bodyLimit(app, SELECTION_BODY_BYTES),
    formFields,
    downloadSelected(app),
  );
  return routes;
}

/**
 * Lets a download through if the actor has its capability. Others get a page, because a link leads here: the sign-in
 * page, or 403.
 */
function downloadAccess(
  app: AdminServices,
  { page, capability, what }: Download,
): MiddlewareHandler<HasActor> {
  const href = (path: string) => adminHref(app, path);
  return async (c, next) => {
    const actor = await actorOf(app, c.req.raw.headers);
    if (!actor) return c.html(signInPage({ href, next: page, name: "" }), 401);
    if (!await actorMay(app.hooks, actor, capability)) {
      const scope = await missingScope(app.hooks, actor, capability);
      if (scope) return await refuse(c, "forbidden", { detail: missingScopeText(scope) });
      return c.html(
        messagePage({ href, title: "Not allowed", message: `You are not allowed to export ${what}.` }),
        403,
      );
    }
    c.set("actor", actor);
    return await next();
  };
}
