import { number } from "../../platform/words/counted.ts";
import type { ComponentChildren, VNode } from "preact";
import { campaignOf, type Dimension, OTHER, type PageTotal } from "../../signup/attribution/page_counts.ts";
import {
  formsCounted,
  type ValueTotal,
  valueTotals,
  withoutValue,
} from "../../signup/attribution/summary.ts";
import { allForms } from "../../settings/forms/all_forms.ts";
import { siteDay } from "../../settings/schema/time_zone.ts";
import type { Settings } from "../../settings/schema/schema.ts";
import { definePage } from "../frame/page.ts";
import { Card, Empty } from "../parts/card.tsx";
import { type Column, Table } from "../parts/table.tsx";
import type { View } from "../frame/view.ts";
import { FormChoice } from "../parts/form_choice.tsx";
import { FORM_MEMBERS } from "../../settings/schema/form_members.ts";
import { periodText } from "./overview_period.ts";
import { share } from "../parts/share.ts";
import { PeriodBar } from "./period_bar.tsx";
import {
  formQuery,
  sourceQuery,
  type SourceSelection,
  sourceSelectionOf,
  sourceTotals,
} from "./source_selection.ts";

/** Rows of a table. The CSV has all. */
const MOST_ROWS = 50;

export const sourcesPage = definePage({
  path: "/sources",
  title: "Sources",
  lead: "The pages, campaigns and sites that your signups came from.",
  group: "Audience & activity",
  icon: "sources",
  shortcut: "v",
  capability: "view",
  services: ["pageCounts"],
  async render(view) {
    const today = siteDay(view.app.settings.current(), view.now);
    const selection = sourceSelectionOf(view.query, today);
    const { period, form } = selection;
    const totals = await sourceTotals(view.app.pageCounts, period);
    if (totals.length === 0 && !isOn(view.app.settings.current())) return <TurnedOff view={view} />;
    const forms = formsCounted(totals);
    return (
      <>
        <PeriodBar
          view={view}
          path="/sources"
          download="/sources/sources.csv"
          period={period}
          others={formQuery(form)}
          today={today}
        />
        {(forms.length > 1 || form !== undefined) && (
          <FormChoice
            view={view}
            forms={forms}
            form={form}
            href={(form) => view.href(`/sources?${new URLSearchParams(sourceQuery({ period, form }))}`)}
          />
        )}
        <Totals
          dimension="path"
          title="Pages"
          lead="Where the form was when people signed up. Confirmations count on the day they happened, under the page of the first signup."
          empty="No signups with a page in this period"
          totals={totals}
          selection={selection}
          columns={[{
            title: "Page",
            cell: ({ value }) => value === OTHER ? <Others /> : <code>{value}</code>,
          }]}
        />
        <Totals
          dimension="campaign"
          title="Campaigns"
          lead="From the UTM parameters of the page with the form: utm_campaign, utm_source and utm_medium. Visitors who open another page first, and sign up on the next, bring none."
          empty="No signups from links with UTM parameters in this period"
          totals={totals}
          selection={selection}
          columns={[
            {
              title: "Campaign",
              cell: ({ value }) => value === OTHER ? <Others /> : campaignOf(value).campaign || "No campaign",
            },
            { title: "UTM source", compact: true, cell: ({ value }) => campaignOf(value).source || "–" },
            { title: "UTM medium", compact: true, cell: ({ value }) => campaignOf(value).medium || "–" },
          ]}
        />
        <Totals
          dimension="referrer"
          title="Linking sites"
          lead="Sites whose link led to the page with the form. Many browsers and apps hide them."
          empty="No signups from other sites in this period"
          totals={totals}
          selection={selection}
          columns={[{
            title: "Site",
            cell: ({ value }) => value === OTHER ? <Others /> : value.replace(/^https?:\/\//, ""),
          }]}
        />
      </>
    );
  },
});

function isOn(settings: Settings): boolean {
  return settings.form.attribution || allForms(settings).some(({ attribution }) => attribution);
}

function TurnedOff({ view }: { view: View }): VNode {
  return (
    <Card>
      <Empty title="No form remembers where signups come from">
        Turn on “{FORM_MEMBERS.attribution.label}” in the{" "}
        <a href={view.href("/form-defaults")}>defaults of all forms</a> or in a{" "}
        <a href={view.href("/forms")}>form</a>. New signups then appear here.
      </Empty>
    </Card>
  );
}

const Others = () => <>Other values</>;

/** The totals of a dimension as a table. */
function Totals(
  { dimension, title, lead, empty, totals, selection, columns }: {
    dimension: Dimension;
    title: string;
    lead: ComponentChildren;
    empty: string;
    totals: readonly PageTotal[];
    selection: SourceSelection;
    columns: Column<ValueTotal>[];
  },
): VNode {
  const { period, form } = selection;
  const rows = valueTotals(totals, dimension, form);
  const others = withoutValue(totals, dimension, form);
  return (
    <Card id={dimension} title={title} lead={lead}>
      {rows.length === 0 ? <Empty title={empty} /> : (
        <>
          <Table
            caption={`${title} with signups in ${periodText(period)}`}
            rows={rows.slice(0, MOST_ROWS)}
            keyOf={({ value }) => value}
            columns={[
              ...columns,
              { title: "Signups", number: true, compact: true, cell: ({ signups }) => number(signups) },
              { title: "Confirmed", number: true, compact: true, cell: ({ confirmed }) => number(confirmed) },
              {
                title: "Confirmation rate",
                number: true,
                compact: true,
                cell: ({ signups, confirmed }) => signups === 0 ? "–" : share(confirmed, signups),
              },
            ]}
          />
          {rows.length > MOST_ROWS && (
            <p class="help">
              {number(rows.length - MOST_ROWS)} more with fewer signups are in the CSV file.
            </p>
          )}
        </>
      )}
      {others.signups > 0 && (
        <p class="help">
          {number(others.signups)} {others.signups === 1 ? "signup" : "signups"} ({number(others.confirmed)}
          {" "}
          confirmed) came without {dimension === "campaign" ? "UTM parameters" : "a linking site"}.
        </p>
      )}
    </Card>
  );
}
