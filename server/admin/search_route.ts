import type { Context } from "hono";
import { readBody } from "../http/request_body.ts";
import type { AdminServices } from "./services.ts";
import { pageAt } from "./pages/registry.ts";
import { messagePage, signInPage } from "./auth/sign_in_page.tsx";
import { encryptQuery } from "./encrypted_query.ts";
import { adminHref } from "./view.ts";
import { actorOf } from "./auth/identify.ts";

const BODY_BYTES = 8 * 1024;
/** Longer than any valid value, so that too long ones are still reported, and short enough for URLs. */
const MAX_CHARACTERS = 300;

/**
 * `POST {base_url}/admin/:page`: redirects a search form to a URL with the personal fields encrypted, which can be
 * reloaded and bookmarked. It changes nothing.
 */
export function searchRoute(app: AdminServices) {
  const href = (path: string) => adminHref(app, path);

  return async (c: Context): Promise<Response> => {
    const page = pageAt(`/${c.req.param("page")}`);
    if (!page?.searchFields) {
      return c.html(messagePage({ href, title: "Not found", message: "This page has no search." }), 404);
    }
    const actor = await actorOf(app, c.req.raw.headers);
    if (actor?.kind !== "user") return c.html(signInPage({ href, next: page.path, name: "" }), 401);
    const bytes = await readBody(c.req.raw, BODY_BYTES, app.clock);
    if (!bytes) {
      return c.html(messagePage({ href, title: "Invalid search", message: "The search is too long." }), 413);
    }
    const sent = new URLSearchParams(new TextDecoder().decode(bytes));
    const fields = page.searchFields.map((name) =>
      [name, (sent.get(name) ?? "").trim().slice(0, MAX_CHARACTERS)] as const
    );
    return c.redirect(href(page.path + await encryptQuery(app, fields)), 303);
  };
}
