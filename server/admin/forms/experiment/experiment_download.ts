import { nameOutside } from "../../../settings/forms/all_forms.ts";
import type { Context } from "hono";
import { experimentReport } from "../../../forms/experiments/report.ts";
import { formOfQuery } from "../actions/experiment_change.ts";
import { csvFile } from "../../frame/csv_file.ts";
import type { AdminServices } from "../../frame/services.ts";

/** Scripts read these columns, so they keep their names and places. New ones come last. */
const COLUMNS = ["day", "variant", "seen", "signups", "confirmed", "ordered", "variant_name"];

/**
 * `GET {base_url}/admin/experiment/days.csv`: the counts of a form's experiment by day and variant. Contains no address.
 * Requires `downloadAccess` before it.
 */
export function experimentDownload(app: AdminServices) {
  return async (c: Context): Promise<Response> => {
    const { name } = formOfQuery(new URL(c.req.url, "http://any").searchParams);
    await app.settings.refresh();
    const found = await experimentReport(app, name);
    if (!found) return c.text("This form has no experiment. It may have been removed.", 404);
    const { report, days } = found;
    const names = new Map(report.variants.map(({ id, name }) => [id, name]));
    const rows = days.flatMap(({ day, variants }) =>
      variants.map((
        { id, seen, signups, confirmed, ordered },
      ) => [day, id, seen, signups, confirmed, ordered, names.get(id)])
    );
    return csvFile(c, `experiment-${nameOutside(name) ?? "popup"}.csv`, [COLUMNS, ...rows]);
  };
}
