import type { Context } from "hono";
import { siteZone } from "../../settings/schema/time_zone.ts";
import { fieldNames } from "../../settings/forms/field_settings.ts";
import { exportSearch, FORMATS, MIME } from "../../subscribers/bulk/export_search.ts";
import { parseSearch } from "../../subscribers/search/parse_search.ts";
import type { Selection } from "../../subscribers/bulk/selection.ts";
import type { HasFields } from "../../platform/http/guards/form_fields.ts";
import { readForm } from "../frame/ajax_body.ts";
import { Refusal } from "../frame/refusal.ts";
import { Selected, selectionOf } from "./selected_input.ts";
import type { AdminServices } from "../frame/services.ts";
import { nameOf } from "../../platform/audit/actor_name.ts";
import { originOf } from "../auth/request_origin.ts";
import type { Actor } from "../auth/actor.ts";
import type { HasActor } from "../auth/guards.ts";
import { messagePage } from "../shell/sign_in_page.tsx";
import { decryptQuery, UNREADABLE_LINK } from "../frame/encrypted_query.ts";
import { adminHref } from "../frame/view.ts";

const ACTION = "cfbe_export_subscribers";
/** Enough for the rows of a page with the longest addresses. */
export const SELECTION_BODY_BYTES = 128 * 1024;

const messageTo = (app: AdminServices, c: Context, status: 400 | 404 | 422, title: string, message: string) =>
  c.html(messagePage({ href: (path) => adminHref(app, path), title, message }), status);

/**
 * `GET {base_url}/admin/subscribers/:file`: streams the results of a search as `subscribers.csv` or `.json`. It changes
 * nothing, so it needs no nonce. It is recorded in the audit log. Requires `downloadAccess` before it.
 */
export function download(app: AdminServices) {
  return async (c: Context<HasActor>): Promise<Response> => {
    const opened = await decryptQuery(app, new URL(c.req.url, "http://any").search);
    const { query, problems } = parseSearch(opened.query, siteZone(app.settings.current()));
    const [wrong] = opened.unreadable ? [UNREADABLE_LINK] : Object.values(problems);
    if (wrong !== undefined) return messageTo(app, c, 400, "Invalid search", wrong);
    return await sendFile(app, c, c.var.actor, { query });
  };
}

/**
 * `POST {base_url}/admin/subscribers/:file`: the same for the rows that are checked in the list. Requires `formFields`
 * before it.
 */
export function downloadSelected(app: AdminServices) {
  return async (c: Context<HasActor & HasFields>): Promise<Response> => {
    const { data } = Selected.safeParse(readForm(c.var.fields).input);
    if (!data) {
      return messageTo(app, c, 400, "Invalid selection", "Go back, and select the subscribers again.");
    }
    try {
      return await sendFile(app, c, c.var.actor, selectionOf(data, siteZone(app.settings.current())));
    } catch (error) {
      if (error instanceof Refusal) return messageTo(app, c, 422, "Nothing to export", error.message);
      throw error;
    }
  };
}

async function sendFile(
  app: AdminServices,
  c: Context,
  actor: Actor,
  selection: Selection,
): Promise<Response> {
  const format = FORMATS.find((each) => c.req.param("file") === `subscribers.${each}`);
  if (!format) {
    return messageTo(app, c, 404, "Not found", "You can export subscribers.csv or subscribers.json.");
  }
  const { audit } = app.admin;
  const address = addressOf(selection);
  const target = address === undefined ? undefined : audit.target(address);
  const from = await originOf(app, c, actor.kind === "user" ? actor.name : undefined);
  const end = await audit.begin({ who: nameOf(actor), action: ACTION, target, from });
  await end("done");
  const day = new Date(app.clock.now()).toISOString().slice(0, 10);
  const settings = app.settings.current();
  const columns = {
    fields: fieldNames(settings),
    listNames: new Map(settings.general.knownLists.map(({ id, name }) => [id, name])),
  };
  return c.body(exportSearch(app.kv, selection, format, columns), 200, {
    "Content-Type": MIME[format],
    "Content-Disposition": `attachment; filename="subscribers-${day}.${format}"`,
  });
}

/** Returns the address that an export is about, if it is about one. */
function addressOf(selection: Selection): string | undefined {
  if ("rows" in selection) return selection.rows.length === 1 ? selection.rows[0]!.email : undefined;
  const { term } = selection.query;
  return term?.by === "address" ? term.email : undefined;
}
