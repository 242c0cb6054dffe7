import { PAGE_ASSETS_FOLDER } from "../pages/visitor_page.ts";
import { type Context, Hono, type MiddlewareHandler } from "hono";
import { csrf } from "hono/csrf";
import { HTTPException } from "hono/http-exception";
import { assets, ownPage } from "../pages/own_page.ts";
import type { AdminServices } from "./services.ts";
import { Refusal } from "./refusal.ts";
import { download } from "./download.ts";
import { ajaxRoute } from "./ajax_route.ts";
import { signInRoutes } from "./auth/routes.ts";
import { pageAt, pages } from "./pages/registry.ts";
import { previewRoute } from "./preview_route.ts";
import { deadEndPage, signInPage } from "./auth/sign_in_page.tsx";
import { shell } from "./parts/shell.tsx";
import { adminHref, createView } from "./view.ts";
import { searchRoute } from "./search_route.ts";
import { actorOf } from "./auth/identify.ts";

const ASSETS = new URL("./assets/", import.meta.url);

const noStore: MiddlewareHandler = async (c, next) => {
  await next();
  c.header("Cache-Control", "no-store");
};

/** The admin: what is looked at are pages, what is changed goes through the one door. Mounted at `{base_url}/admin`. */
export function adminRoutes(app: AdminServices): Hono {
  const routes = new Hono();
  const { origin } = new URL(app.config.baseUrl);
  const href = (path: string) => adminHref(app, path);

  routes.onError((error, c) => {
    if (error instanceof HTTPException) return error.getResponse();
    // A page may find that what it was asked for is not there, or makes no sense.
    if (error instanceof Refusal) {
      return c.html(deadEndPage({ href, title: "That did not work", says: error.message }), error.status);
    }
    app.log.error("admin.page_failed", { path: c.req.path, error });
    const says = "Something went wrong; the log of this service says what.";
    return c.html(deadEndPage({ href, title: "That did not work", says }), 500);
  });
  routes.get("/preview", noStore, ownPage([origin], "same-origin", "held"), previewRoute(app));
  routes.use(ownPage([origin], "same-origin", "holds"));
  routes.route("/assets", assets(ASSETS, PAGE_ASSETS_FOLDER));
  routes.use(noStore);

  routes.post("/ajax", ajaxRoute(app));
  // A session's cookie is made here, where no nonce can guard it yet.
  routes.use(csrf({ origin: (from, c) => [origin, new URL(c.req.url).origin].includes(from) }));
  routes.route("/", signInRoutes(app));

  routes.get("/subscribers/:file", download(app));
  routes.post("/:page", searchRoute(app));
  const home = (c: Context) => c.redirect(href(pages[0]!.path), 303);
  routes.get("/", home);
  routes.get("/:page", async (c) => {
    const path = `/${c.req.param("page")}`;
    const { search } = new URL(c.req.url, "http://any");
    const actor = await actorOf(app, c.req.raw.headers);
    if (actor?.kind !== "user") {
      return c.html(signInPage({ href, next: path + search, name: "" }), 401);
    }
    const page = pageAt(path);
    if (!page) {
      const says = "There is no such page in the admin.";
      return c.html(deadEndPage({ href, title: "Not found", says }), 404);
    }
    await app.settings.refresh();
    const flash = app.admin.cookies.said(c);
    const view = await createView(app, c, actor, { path, search, posted: undefined, done: undefined, flash });
    if (!view.may(page.capability)) {
      return c.html(
        deadEndPage({ href, title: "Not for you", says: "You are not allowed to see this." }),
        403,
      );
    }
    return c.html(shell(view, page, pages, await page.render(view)));
  });
  return routes;
}
