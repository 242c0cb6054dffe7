import { isMigrated } from "../../operations/database/migrate_rows_job.ts";
import { countMatches, type MatchCount } from "../../subscribers/search/count.ts";
import { readBulkRun } from "../../subscribers/bulk/run.ts";
import { BadCursor } from "../../subscribers/search/cursor.ts";
import { siteZone } from "../../settings/schema/time_zone.ts";
import { type NearMatches, nearMatches } from "../../subscribers/search/near.ts";
import { parseSearch, SEARCH_FIELDS } from "../../subscribers/search/parse_search.ts";
import type { SubscriberQuery } from "../../subscribers/search/query.ts";
import { search, type SubscriberPage } from "../../subscribers/search/search.ts";
import { UNREADABLE_LINK } from "../frame/encrypted_query.ts";
import { definePage } from "../frame/page.ts";
import { Card } from "../parts/card.tsx";
import { Chips } from "../parts/chips.tsx";
import { Notice } from "../parts/notice.tsx";
import { Refusal } from "../frame/refusal.ts";
import type { View } from "../frame/view.ts";
import { progressText } from "./bulk.tsx";
import { Review, reviewOf } from "./subscribers_bulk.tsx";
import { Filters, filterText } from "./subscribers_filters.tsx";
import { linksOf, linksWithoutOne, searchOf } from "./subscribers_links.ts";
import { Results } from "./subscribers_list.tsx";

export const subscribersPage = definePage({
  path: "/subscribers",
  title: "Subscribers",
  lead: "Everyone who has signed up, with their current status.",
  group: "Audience & activity",
  icon: "subscribers",
  shortcut: "s",
  capability: "personal",
  searchFields: SEARCH_FIELDS,
  services: ["kv", "clock", "keyring", "signupProviders", "people", "admin"],
  async render(view) {
    const zone = siteZone(view.app.settings.current());
    const { query, problems } = parseSearch(view.query, zone);
    const valid = !view.unreadable && Object.keys(problems).length === 0;
    const params = searchOf(view.query);
    const [found, without, migrated, review, run] = await Promise.all([
      valid ? find(view, query) : undefined,
      linksWithoutOne(view, params),
      isMigrated(view.app.kv),
      reviewOf(view),
      readBulkRun(view.app.kv),
    ]);
    const chips = [...without].map(([field, href]) => ({
      text: filterText(view, field, params.get(field)!, query),
      href,
    }));
    const shown = found ? [...found.page.records, ...found.near.records] : [];
    if (shown.length > 0) await recordViews(view, shown.length);
    return (
      <>
        {!migrated && (
          <Notice kind="warn">
            Signups from an earlier version are still being indexed, so some may be missing here.
          </Notice>
        )}
        {run && !run.ended && (
          <Notice kind="plain">
            A bulk action is running: {progressText(run)} <a href={view.href("/bulk")}>Show progress</a>
          </Notice>
        )}
        {review && <Review view={view} review={review} />}
        <Card>
          <Filters primary={!review} view={view} params={params} zone={zone} problems={problems} />
          <Chips chips={chips} clear={view.href("/subscribers")} />
        </Card>
        {view.unreadable && <Notice kind="warn">{UNREADABLE_LINK}</Notice>}
        {found && (
          <Results
            view={view}
            {...found}
            params={params}
            term={query.term}
            chips={chips}
            links={await linksOf(view, shown, found.page.next, params, query.term)}
          />
        )}
      </>
    );
  },
});

/** Returns a page of results, how many there are in all, and those that may have been meant if there are none. */
async function find(
  view: View<"kv">,
  query: SubscriberQuery,
): Promise<{ page: SubscriberPage; count: MatchCount; near: NearMatches }> {
  const after = view.query.get("place") ?? undefined;
  try {
    const page = await search(view.app.kv, query, { after });
    // The first page has read every row that a count would, if it has no next page or stopped at the limit of rows.
    const isCounted = after === undefined && (page.next === undefined || page.searchedTo !== undefined);
    const count = isCounted
      ? { count: page.records.length, more: page.next !== undefined }
      : await countMatches(view.app.kv, query);
    const hasNone = after === undefined && page.next === undefined && page.records.length === 0;
    const near = hasNone ? await nearMatches(view.app.kv, query) : { records: [], partial: false };
    return { page, count, near };
  } catch (error) {
    if (error instanceof BadCursor) throw new Refusal(400, "bad_cursor", error.message);
    throw error;
  }
}

/** Records in the audit log how many subscribers the user viewed. */
async function recordViews({ app, actor, from }: View<"admin">, by: number): Promise<void> {
  await app.admin.audit.count({ who: actor.name, action: "cfbe_read_subscribers", result: "done", by, from });
}
