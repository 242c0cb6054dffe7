import { type Context, type Handler, Hono, type MiddlewareHandler } from "hono";
import { errorsAs, notFound, refuse } from "../platform/http/errors.ts";
import { bodyLimit } from "../platform/http/guards/body_limit.ts";
import { formFields, type HasFields } from "../platform/http/guards/form_fields.ts";
import { missingScopeText } from "../platform/tokens/scopes.ts";
import { titles } from "./action_table.ts";
import { auditDownload } from "./activity/audit_download.ts";
import type { Capability } from "./auth/capability.ts";
import { type Actor, actorMay, missingScope } from "./auth/actor.ts";
import type { HasActor } from "./auth/guards.ts";
import { actorOf } from "./auth/identify.ts";
import { adminHref } from "./frame/view.ts";
import { withPassword } from "./shell/password_first.ts";
import { messagePage, signInPage } from "./shell/sign_in_page.tsx";
import { signInWays } from "./shell/sign_in_ways.ts";
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
  /** As of an action. */
  asksPassword?: boolean;
  /** What it exports, in a sentence. */
  what: string;
  handler(app: AdminServices): Handler<HasActor>;
  /** Sends the rows that were checked in a list. */
  selected?(app: AdminServices): Handler<HasActor & HasFields>;
}

/** Every file that the admin offers. */
export const DOWNLOADS: readonly Download[] = [
  {
    path: "/subscribers/:file",
    page: "/subscribers",
    capability: "people",
    asksPassword: true,
    what: "subscribers",
    handler: download,
    selected: downloadSelected,
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
    asksPassword: true,
    what: "the audit log",
    handler: (app) => auditDownload(app, titles),
  },
];

/** Field of the page that asks for the password, if the file was requested with GET. */
const THEN_GET = "_then_get";

/** Creates the routes of the admin's files: CSV exports, forms as JSON, and the WordPress plugin. */
export function downloadRoutes(app: AdminServices): Hono {
  const routes = new Hono();
  for (const each of DOWNLOADS) {
    const access = downloadAccess(app, each);
    routes.get(
      each.path,
      access,
      passwordFirst(app, each, () => new URLSearchParams({ [THEN_GET]: "yes" })),
      each.handler(app),
    );
    if (!each.asksPassword) continue;
    routes.post(
      each.path,
      errorsAs(searchErrors(app)),
      access,
      bodyLimit(app, SELECTION_BODY_BYTES),
      formFields,
      passwordFirst(app, each, (c: Context<HasActor & HasFields>) => c.var.fields),
      each.selected?.(app) ?? notFound,
    );
  }
  return routes;
}

/**
 * Asks a user for their password, if the file requires it. The page that asks is sent to the same address, and leads
 * back to a file that was requested with GET.
 */
function passwordFirst<More extends HasActor>(
  app: AdminServices,
  { asksPassword, page, what }: Download,
  fieldsOf: (c: Context<More>) => URLSearchParams,
): MiddlewareHandler<More> {
  return async (c, next) => {
    const actor: Actor = c.get("actor");
    if (!asksPassword || actor.kind !== "user") return await next();
    const { pathname, search } = new URL(c.req.url, "http://any");
    const fields = fieldsOf(c);
    const action = pathname + search;
    const asked = { what: `Download ${what}`, asks: true, action, fields, page, download: true };
    const confirmed = await withPassword(app, c, actor, asked);
    if (confirmed instanceof Response) return confirmed;
    return fields.has(THEN_GET) && c.req.method === "POST" ? c.redirect(action, 303) : await next();
  };
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
    if (!actor) {
      return c.html(signInPage({ href, ...await signInWays(app), next: page, name: "" }), 401);
    }
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
