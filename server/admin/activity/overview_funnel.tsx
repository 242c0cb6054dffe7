import { number } from "../../platform/words/counted.ts";
import type { VNode } from "preact";
import type { FormDay } from "../../platform/observe/counters.ts";
import { Card, Stats, Tile } from "../parts/card.tsx";
import { Table } from "../parts/table.tsx";
import type { View } from "../frame/view.ts";
import { type Funnel, funnelOf } from "../../platform/observe/funnel.ts";
import { changeOf, type FormFunnel, formsOf, rateOf } from "./overview_numbers.ts";
import { lengthOf, periodText, previousOf } from "./overview_period.ts";
import { type Metric, METRICS, overviewHref, type Selection, stepColumns } from "./overview_selection.ts";
import { share } from "../parts/share.ts";
import { sourceTitle } from "../parts/source_titles.ts";

interface Shown {
  view: View;
  counts: readonly FormDay[];
  selection: Selection;
}

/** The numbers of the period, compared with the one before. Each links to its chart. */
export function FunnelStats({ view, counts, selection }: Shown): VNode {
  const { period, form } = selection;
  const now = funnelOf(counts, { ...period, form });
  const before = funnelOf(counts, { ...previousOf(period), form });
  const known = Object.values(before).some((count) => count > 0);
  const length = lengthOf(period);
  const earlier = length === 1 ? "on the day before" : `in the previous ${length} days`;
  return (
    <Stats>
      {(Object.keys(METRICS) as Metric[]).map((metric) => (
        <Tile
          key={metric}
          label={METRICS[metric].label}
          value={metric === "rate" ? rateText(now) : number(METRICS[metric].valueOf(now))}
          note={known ? noteOf(metric, now, before, earlier) : "No earlier data to compare"}
          href={`${overviewHref(view, { ...selection, metric })}#days`}
          current={metric === selection.metric}
        />
      ))}
    </Stats>
  );
}

function rateText(funnel: Funnel): string {
  const rate = rateOf(funnel);
  return rate === undefined ? "–" : `${Math.round(rate)}%`;
}

function noteOf(metric: Metric, now: Funnel, before: Funnel, earlier: string): string {
  if (metric === "rate") return `${rateText(before)} ${earlier}`;
  const { valueOf } = METRICS[metric];
  const change = changeOf(valueOf(now), valueOf(before));
  return change === undefined ? `0 ${earlier}` : `${change} ${earlier}`;
}

/** Views, signups and confirmations of each form. */
export function FormsCard({ view, counts, selection }: Shown): VNode | null {
  const forms = formsOf(counts, selection.period);
  if (forms.length === 0) return null;
  return (
    <Card
      id="forms"
      title="By form"
      lead="Views: times the form appeared on screen. Signups: submissions accepted. Confirmed: people who clicked the link in the confirmation email. Conversion: signups divided by views, both in the selected period."
    >
      <Table
        caption={`Views, signups and confirmations by form in ${periodText(selection.period)}`}
        rows={forms}
        keyOf={({ form }) => form}
        columns={[
          {
            title: "Form",
            cell: ({ form }) => (
              <a href={`${overviewHref(view, { ...selection, form })}#days`}>
                {sourceTitle(view.app.settings.current(), form)}
              </a>
            ),
          },
          ...stepColumns<FormFunnel>(),
          {
            title: "Conversion",
            number: true,
            compact: true,
            cell: ({ seen, accepted }) => seen === 0 ? "–" : share(accepted, seen),
          },
        ]}
      />
    </Card>
  );
}
