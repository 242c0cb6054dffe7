import type { Context } from "hono";
import { csvCell } from "../subscribers/export_search.ts";
import { actorMay } from "./auth/actor.ts";
import { actorOf } from "./auth/identify.ts";
import { messagePage, signInPage } from "./auth/sign_in_page.tsx";
import { dayOf, daysOf, formsOf } from "./pages/overview_numbers.ts";
import { isoDay } from "./pages/overview_period.ts";
import { selectionOf } from "./pages/overview_selection.ts";
import type { AdminServices } from "./services.ts";
import { adminHref } from "./view.ts";

const COLUMNS = ["day", "form", "views", "signups", "confirmed"];

/** `GET {base_url}/admin/overview/days.csv`: the numbers of the Overview by day and form. Contains no address. */
export function overviewDownload(app: AdminServices) {
  const href = (path: string) => adminHref(app, path);
  return async (c: Context): Promise<Response> => {
    const actor = await actorOf(app, c.req.raw.headers);
    if (!actor) return c.html(signInPage({ href, next: "/overview", name: "" }), 401);
    if (!await actorMay(app.hooks, actor, "view")) {
      const message = "You are not allowed to export these numbers.";
      return c.html(messagePage({ href, title: "Not allowed", message }), 403);
    }
    const today = dayOf(app.clock.now());
    const { period, form } = selectionOf(new URL(c.req.url, "http://any").searchParams, today);
    const counts = await app.counters.days(period.from, period.until);
    const forms = form === undefined ? formsOf(counts, period).map((each) => each.form) : [form];
    const rows = forms.flatMap((form) =>
      daysOf(counts, { ...period, form }).map((
        { day, seen, accepted, confirmed },
      ) => [isoDay(day), form, seen, accepted, confirmed])
    );
    const csv = [COLUMNS, ...rows].map((cells) => cells.map(csvCell).join(",") + "\r\n").join("");
    const name = `overview-${isoDay(period.from)}-${isoDay(period.until - 1)}.csv`;
    return c.body(csv, 200, {
      "Content-Type": "text/csv; charset=utf-8",
      "Content-Disposition": `attachment; filename="${name}"`,
    });
  };
}
