import type { Context } from "hono";
import { readBody } from "../http/request_body.ts";
import type { AdminServices } from "./services.ts";
import { pageAt } from "./pages/registry.ts";
import { deadEndPage, signInPage } from "./auth/sign_in_page.tsx";
import { sealQuery } from "./sealed_query.ts";
import { adminHref } from "./view.ts";
import { actorOf } from "./auth/identify.ts";

const BODY_BYTES = 8 * 1024;
/** More than any field takes, so that what is too long is still said to be; and short enough for every proxy. */
const LONGEST = 300;

/**
 * `POST {base_url}/admin/:page`: a search as a form sends it. It changes nothing, and leads to the page whose address
 * has whom it is about sealed: that one can be loaded again, gone back to and kept as a bookmark.
 */
export function searchRoute(app: AdminServices) {
  const href = (path: string) => adminHref(app, path);

  return async (c: Context): Promise<Response> => {
    const page = pageAt(`/${c.req.param("page")}`);
    if (!page?.searched) {
      return c.html(deadEndPage({ href, title: "Not found", says: "Nothing can be searched there." }), 404);
    }
    const actor = await actorOf(app, c.req.raw.headers);
    if (actor?.kind !== "user") return c.html(signInPage({ href, next: page.path, name: "" }), 401);
    const bytes = await readBody(c.req.raw, BODY_BYTES, app.clock);
    if (!bytes) {
      return c.html(deadEndPage({ href, title: "That is no search", says: "It is too long for one." }), 413);
    }
    const sent = new URLSearchParams(new TextDecoder().decode(bytes));
    const fields = page.searched.map((name) =>
      [name, (sent.get(name) ?? "").trim().slice(0, LONGEST)] as const
    );
    return c.redirect(href(page.path + await sealQuery(app, fields)), 303);
  };
}
