import type { Context } from "hono";
import { campaignOf, DIMENSIONS } from "../../signup/attribution/page_counts.ts";
import { formsCounted, valueTotals } from "../../signup/attribution/summary.ts";
import { siteDay } from "../../settings/schema/time_zone.ts";
import { isoDay } from "../../platform/observe/funnel.ts";
import { csvFile } from "../frame/csv_file.ts";
import type { AdminServices } from "../frame/services.ts";
import { sourceTitle } from "../parts/source_titles.ts";
import { sourceSelectionOf, sourceTotals } from "./source_selection.ts";

/** Scripts read these columns, so they keep their names and places. New ones come last. */
const COLUMNS = [
  ...["form", "kind", "value", "utm_campaign", "utm_source", "utm_medium", "signups", "confirmed"],
  "form_title",
];

/**
 * `GET {base_url}/admin/sources/sources.csv`: the numbers of the Sources page by form. Contains no address. Requires
 * `downloadAccess` before it.
 */
export function sourcesDownload(app: AdminServices) {
  return async (c: Context): Promise<Response> => {
    const query = new URL(c.req.url, "http://any").searchParams;
    const { period, form: selected } = sourceSelectionOf(
      query,
      siteDay(app.settings.current(), app.clock.now()),
    );
    const totals = await sourceTotals(app.pageCounts, period);
    const forms = selected === undefined ? formsCounted(totals) : [selected];
    const rows = forms.flatMap((form) =>
      DIMENSIONS.flatMap((dimension) =>
        valueTotals(totals, dimension, form).map(({ value, signups, confirmed }) => {
          const isCampaign = dimension === "campaign";
          const { campaign, source, medium } = campaignOf(isCampaign ? value : "");
          return [
            ...[form, dimension, isCampaign ? "" : value, campaign, source, medium, signups, confirmed],
            sourceTitle(app.settings.current(), form),
          ];
        })
      )
    );
    const name = `sources-${isoDay(period.from)}-${isoDay(period.until - 1)}.csv`;
    return csvFile(c, name, [COLUMNS, ...rows]);
  };
}
