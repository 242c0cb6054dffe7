import type { Context, MiddlewareHandler } from "hono";
import { type ErrorFormat, refuse } from "../../platform/http/errors.ts";
import type { HasFields } from "../../platform/http/guards/form_fields.ts";
import { actorMay } from "../auth/actor.ts";
import type { HasActor } from "../auth/guards.ts";
import { type Page, pageAt } from "../frame/page.ts";
import type { AdminServices } from "../frame/services.ts";
import { messagePage, signInPage } from "./sign_in_page.tsx";
import { signInWays } from "./sign_in_ways.ts";
import { encryptQuery } from "../frame/encrypted_query.ts";
import type { Screens } from "./screens.ts";
import { adminHref } from "../frame/view.ts";

export const SEARCH_BODY_BYTES = 8 * 1024;
/** Longer than any valid value, so that too long ones are still reported, and short enough for URLs. */
const MAX_CHARACTERS = 300;

/** The context variables that `searchPage` sets. */
interface HasSearch {
  Variables: { page: Page & Required<Pick<Page, "searchFields">> };
}

/** Reports errors as a page; without a session it is the sign-in page, which leads back to the search. */
export function searchErrors(app: AdminServices): ErrorFormat {
  const href = (path: string) => adminHref(app, path);
  return {
    async respond({ code, status, message }, c: Context<HasSearch>) {
      if (code === "unauthorized") {
        return c.html(
          signInPage({ href, ...await signInWays(app), next: c.var.page.path, name: "" }),
          status,
        );
      }
      if (code === "too_large") {
        const message = "The search is too long. Go back and shorten it.";
        return c.html(messagePage({ href, title: "Invalid search", message }), status);
      }
      return c.html(messagePage({ href, title: "Not found", message }), status);
    },
  };
}

/** Refuses with 404 a search on a page that does not exist or has no search. */
export const searchPage = ({ pages }: Screens): MiddlewareHandler<HasSearch> => async (c, next) => {
  const page = pageAt(pages, `/${c.req.param("page")}`);
  if (!page?.searchFields) return await refuse(c, "not_found", { detail: "This page has no search." });
  c.set("page", { ...page, searchFields: page.searchFields });
  return await next();
};

/** Refuses with 403 a user who may not open the page. */
export function searchAccess(app: AdminServices): MiddlewareHandler<HasActor & HasSearch> {
  return async (c, next) => {
    const isAllowed = await actorMay(app.hooks, c.var.actor, c.var.page.capability);
    return isAllowed
      ? await next()
      : await refuse(c, "forbidden", { detail: "You are not allowed to see this." });
  };
}

/**
 * `POST {base_url}/admin/:page`: redirects a search form to a URL with the personal fields encrypted, which can be
 * reloaded and bookmarked. It changes nothing.
 */
export function searchRoute(app: AdminServices) {
  return async (c: Context<HasSearch & HasFields>): Promise<Response> => {
    const { page, fields } = c.var;
    const query = page.searchFields.map((name) =>
      [name, (fields.get(name) ?? "").trim().slice(0, MAX_CHARACTERS)] as const
    );
    return c.redirect(adminHref(app, page.path + await encryptQuery(app, query)), 303);
  };
}
