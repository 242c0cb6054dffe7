import type { Context } from "hono";
import { siteZone } from "../subscribers/dates.ts";
import { exportSearch, FORMATS, MIME } from "../subscribers/export_search.ts";
import { parseSearch } from "../subscribers/parse_search.ts";
import type { AdminServices } from "./services.ts";
import { nameOf } from "../audit/actor_name.ts";
import { originOf } from "./auth/request_origin.ts";
import type { HasActor } from "./auth/guards.ts";
import { messagePage } from "./auth/sign_in_page.tsx";
import { decryptQuery, UNREADABLE_LINK } from "./encrypted_query.ts";
import { adminHref } from "./view.ts";

const ACTION = "cfbe_export_subscribers";

/**
 * `GET {base_url}/admin/subscribers/:file`: streams the results of a search as `subscribers.csv` or `.json`. It changes
 * nothing, so it needs no nonce. It is recorded in the audit log. Requires `downloadAccess` before it.
 */
export function download(app: AdminServices) {
  const href = (path: string) => adminHref(app, path);
  const refuse = (c: Context, status: 400 | 404, title: string, message: string) =>
    c.html(messagePage({ href, title, message }), status);

  return async (c: Context<HasActor>): Promise<Response> => {
    const { actor } = c.var;
    const format = FORMATS.find((each) => c.req.param("file") === `subscribers.${each}`);
    if (!format) return refuse(c, 404, "Not found", "You can export subscribers.csv or subscribers.json.");
    const opened = await decryptQuery(app, new URL(c.req.url, "http://any").search);
    const { query, problems } = parseSearch(opened.query, siteZone());
    const [wrong] = opened.unreadable ? [UNREADABLE_LINK] : Object.values(problems);
    if (wrong !== undefined) return refuse(c, 400, "Invalid search", wrong);

    const { audit } = app.admin;
    const email = query.term?.by === "address" ? audit.target(query.term.email) : undefined;
    const from = await originOf(app, c, actor.kind === "user" ? actor.name : undefined);
    const end = await audit.begin({ who: nameOf(actor), action: ACTION, target: email, from });
    await end("done");
    const day = new Date(app.clock.now()).toISOString().slice(0, 10);
    return c.body(exportSearch(app.kv, query, format), 200, {
      "Content-Type": MIME[format],
      "Content-Disposition": `attachment; filename="subscribers-${day}.${format}"`,
    });
  };
}
