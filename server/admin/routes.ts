import { type Handler, Hono, type MiddlewareHandler } from "hono";
import { etag } from "hono/etag";
import { HTTPException } from "hono/http-exception";
import {
  assets,
  loadableInSandbox,
  ownPage,
  PAGE_ASSETS_FOLDER,
  sandboxedPage,
} from "../platform/pages/own_page.ts";
import type { AdminServices } from "./frame/services.ts";
import { Refusal } from "./frame/refusal.ts";
import { brotliFiles, brotliPages } from "../platform/http/compression.ts";
import { errorsAs } from "../platform/http/errors.ts";
import { bodyLimit } from "../platform/http/guards/body_limit.ts";
import { formFields } from "../platform/http/guards/form_fields.ts";
import { wrongTokens } from "../platform/http/guards/wrong_tokens.ts";
import { actionAccess, onePerUser } from "./shell/action_access.ts";
import { AJAX_BODY_BYTES, ajaxAccess, ajaxErrors, ajaxRoute, UPLOAD_BODY_BYTES } from "./shell/ajax_route.ts";
import { signedIn, userSession } from "./auth/guards.ts";
import { ownOrigin } from "./auth/own_origin.ts";
import { downloadRoutes } from "./download_routes.ts";
import { signInRoutes } from "./accounts/sign_in_routes.ts";
import { actionNamed } from "./action_table.ts";
import { type Page, pageAt } from "./frame/page.ts";
import { pages } from "./page_registry.ts";
import { pageResponse } from "./shell/page_response.ts";
import type { Screens } from "./shell/screens.ts";
import { movedPage } from "./shell/moved_pages.ts";
import { checkedSettings, hasPreview } from "./forms/drafts/previewed_edit.ts";
import { framedOrigin } from "./forms/editor/page_behind.ts";
import { previewRoute, unsavedPreviewRoute } from "./forms/drafts/preview_route.tsx";
import { messagePage, signInPage } from "./shell/sign_in_page.tsx";
import { signInWays } from "./shell/sign_in_ways.ts";
import { ASSETS } from "./frame/asset_files.ts";
import { styleSheet } from "./frame/style_sheet.ts";
import { adminHref } from "./frame/view.ts";
import {
  SEARCH_BODY_BYTES,
  searchAccess,
  searchErrors,
  searchPage,
  searchRoute,
} from "./shell/search_route.ts";
import { actorOf } from "./auth/identify.ts";

const SESSION_ENDED = "Your session has ended. Sign in again to continue.";

const noStore: MiddlewareHandler = async (c, next) => {
  await next();
  c.header("Cache-Control", "no-store");
};

/** Redirects to the page's URL, by its path only: the `Host` of a request proves nothing. */
const withoutTrailingSlash: MiddlewareHandler = async (c, next) => {
  const { path } = c.req;
  if (c.req.method !== "GET" || !path.endsWith("/") || /^\/+$/.test(path)) return await next();
  const { search } = new URL(c.req.url);
  return c.redirect(path.replace(/\/+$/, "") + search, 301);
};

/**
 * Creates the admin's routes, mounted at `{base_url}/admin`: pages to read, and `/ajax` for all changes.
 *
 * @param more further pages
 */
export function adminRoutes(app: AdminServices, more: readonly Page[] = []): Hono {
  const screens: Screens = { pages: [...pages, ...more], actionNamed, hasPreview, checkedSettings };
  const routes = new Hono();
  const { origin } = new URL(app.config.baseUrl);
  const href = (path: string) => adminHref(app, path);

  routes.onError((error, c) => {
    if (error instanceof HTTPException) return error.getResponse();
    // Pages throw a `Refusal` if what the URL asks for is missing or invalid.
    if (error instanceof Refusal) {
      return c.html(
        messagePage({ href, title: "Something went wrong", message: error.message }),
        error.status,
      );
    }
    app.log.error("admin.page_failed", { path: c.req.path, error });
    const message = "See cfbe's log for the cause.";
    return c.html(messagePage({ href, title: "Something went wrong", message }), 500);
  });
  routes.use(brotliPages());
  routes.get("/preview", noStore, wrongTokens(app), sandboxedPage([origin]), previewRoute(app));
  routes.use("/assets/*", loadableInSandbox);
  routes.use(ownPage([origin], "same-origin", ({ req }) => framedOrigin(app.settings.current(), req)));
  routes.get("/assets/admin.css", brotliFiles(), etag(), styleSheet());
  routes.route("/assets", assets(ASSETS, PAGE_ASSETS_FOLDER));
  routes.use(noStore);
  routes.use(withoutTrailingSlash);

  // On every route, whatever does not need the body comes before it, which may be several megabytes (contract 14.20).
  routes.use(ownOrigin(origin));
  routes.post(
    "/ajax",
    errorsAs(ajaxErrors(app, screens)),
    wrongTokens(app),
    signedIn(app),
    ajaxAccess(app, screens),
    bodyLimit(app, AJAX_BODY_BYTES),
    ajaxRoute(app, screens),
  );
  routes.post(
    "/upload",
    errorsAs(ajaxErrors(app, screens)),
    wrongTokens(app),
    signedIn(app),
    ajaxAccess(app, screens, ({ upload }) => upload === true),
    onePerUser(),
    bodyLimit(app, UPLOAD_BODY_BYTES),
    ajaxRoute(app, screens),
  );
  routes.post(
    "/preview",
    wrongTokens(app),
    signedIn(app),
    actionAccess(
      app,
      screens,
      (c, status, code, message) => Promise.resolve(c.json({ ok: false, code, message }, status)),
      ({ name }) => hasPreview(name),
    ),
    bodyLimit(app, AJAX_BODY_BYTES),
    unsavedPreviewRoute(app),
  );
  // The routes below have no nonce: signing in sets the session cookie before any nonce exists, and the others only read.
  routes.use(ownOrigin(origin, { required: true }));
  routes.use(wrongTokens(app));
  routes.route("/", signInRoutes(app, pages[0]!.path));

  routes.route("/", downloadRoutes(app));
  routes.post(
    "/:page",
    errorsAs(searchErrors(app)),
    searchPage(screens),
    userSession(app),
    searchAccess(app),
    bodyLimit(app, SEARCH_BODY_BYTES),
    formFields,
    searchRoute(app),
  );
  routes.get("/", (c) => c.redirect(href(pages[0]!.path), 303));
  routes.get("/:page", pageRoute(app, screens));
  return routes;
}

/** Answers with a page, or with the sign-in form, which leads there. */
function pageRoute(app: AdminServices, screens: Screens): Handler {
  const href = (path: string) => adminHref(app, path);
  return async (c) => {
    const path = `/${c.req.param("page")}`;
    const { search } = new URL(c.req.url, "http://any");
    const actor = await actorOf(app, c.req.raw.headers);
    if (actor?.kind !== "user") {
      const message = app.admin.cookies.session(c) && SESSION_ENDED;
      return c.html(
        signInPage({ href, ...await signInWays(app), next: path + search, name: "", message }),
        401,
      );
    }
    const moved = movedPage(path, new URLSearchParams(search));
    if (moved) return c.redirect(href(moved), 302);
    const page = pageAt(screens.pages, path);
    if (!page) {
      const message = "There is no page at this address.";
      return c.html(messagePage({ href, title: "Page not found", message }), 404);
    }
    const flash = app.admin.cookies.takeFlash(c);
    return await pageResponse(app, screens, c, page, actor, {
      search,
      posted: undefined,
      done: undefined,
      flash,
    });
  };
}
