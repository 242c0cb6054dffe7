import type { Context } from "hono";
import { withoutTests } from "../../forms/public/test_form.ts";
import { siteDay } from "../../settings/schema/time_zone.ts";
import { isoDay } from "../../platform/observe/funnel.ts";
import { sourceTitle } from "../parts/source_titles.ts";
import { daysOf, formsOf } from "./overview_numbers.ts";
import { selectionOf } from "./overview_selection.ts";
import { csvFile } from "../frame/csv_file.ts";
import type { AdminServices } from "../frame/services.ts";

/** Scripts read these columns, so they keep their names and places. New ones come last. */
const COLUMNS = ["day", "form", "views", "signups", "confirmed", "form_title"];

/**
 * `GET {base_url}/admin/overview/days.csv`: the numbers of the Overview by day and form. Contains no address. Requires
 * `downloadAccess` before it.
 */
export function overviewDownload(app: AdminServices) {
  return async (c: Context): Promise<Response> => {
    const today = siteDay(app.settings.current(), app.clock.now());
    const { period, form } = selectionOf(new URL(c.req.url, "http://any").searchParams, today);
    const counts = withoutTests(await app.counters.days(period.from, period.until));
    const forms = form === undefined ? formsOf(counts, period).map((each) => each.form) : [form];
    const rows = forms.flatMap((form) =>
      daysOf(counts, { ...period, form }).map((
        { day, seen, accepted, confirmed },
      ) => [isoDay(day), form, seen, accepted, confirmed, sourceTitle(app.settings.current(), form)])
    );
    const name = `overview-${isoDay(period.from)}-${isoDay(period.until - 1)}.csv`;
    return csvFile(c, name, [COLUMNS, ...rows]);
  };
}
