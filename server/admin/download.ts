import type { Context } from "hono";
import { siteZone } from "../subscribers/dates.ts";
import { exportSearch, FORMATS, MIME } from "../subscribers/export_search.ts";
import { parseSearch } from "../subscribers/parse_search.ts";
import type { AdminServices } from "./services.ts";
import { nameOf } from "../audit/actor_name.ts";
import { actorMay } from "./auth/actor.ts";
import { fromOf } from "./auth/from.ts";
import { deadEndPage, signInPage } from "./auth/sign_in_page.tsx";
import { openQuery, UNREAD } from "./sealed_query.ts";
import { adminHref } from "./view.ts";
import { actorOf } from "./auth/identify.ts";

const ACTION = "cfbe_export_subscribers";

/**
 * `GET {base_url}/admin/subscribers/:file`: a search as `subscribers.csv` or `.json`, streamed. It changes nothing, so
 * it needs no nonce; it takes the capability that exports take, and is in the audit log.
 */
export function download(app: AdminServices) {
  const href = (path: string) => adminHref(app, path);
  const no = (c: Context, status: 400 | 403 | 404, title: string, says: string) =>
    c.html(deadEndPage({ href, title, says }), status);

  return async (c: Context): Promise<Response> => {
    const actor = await actorOf(app, c.req.raw.headers);
    if (!actor) return c.html(signInPage({ href, next: "/subscribers", name: "" }), 401);
    if (!await actorMay(app.hooks, actor, "people")) {
      return no(c, 403, "Not for you", "You may look at subscribers, but not export them.");
    }
    const format = FORMATS.find((each) => c.req.param("file") === `subscribers.${each}`);
    if (!format) return no(c, 404, "Not found", "There are subscribers.csv and subscribers.json.");
    const asked = await openQuery(app, new URL(c.req.url, "http://any").search);
    const { query, problems } = parseSearch(asked.query, siteZone());
    const [wrong] = asked.unread ? [UNREAD] : Object.values(problems);
    if (wrong !== undefined) return no(c, 400, "That is no search", wrong);

    const { audit } = app.admin;
    const whose = query.term?.by === "address" ? audit.target(query.term.email) : undefined;
    const from = await fromOf(app, c, actor.kind === "user" ? actor.name : undefined);
    const end = await audit.begin({ who: nameOf(actor), action: ACTION, target: whose, from });
    await end("done");
    const day = new Date(app.clock.now()).toISOString().slice(0, 10);
    return c.body(exportSearch(app.kv, query, format), 200, {
      "Content-Type": MIME[format],
      "Content-Disposition": `attachment; filename="subscribers-${day}.${format}"`,
    });
  };
}
