import { dateOf } from "../frame/dates.ts";
import { counted, number } from "../../platform/words/counted.ts";
import { siteZone } from "../../settings/schema/time_zone.ts";
import type { VNode } from "preact";
import type { FormDay } from "../../platform/observe/counters.ts";
import { Card, Empty } from "../parts/card.tsx";
import { DayChart } from "../parts/day_chart.tsx";
import { Table } from "../parts/table.tsx";
import type { View } from "../frame/view.ts";
import { type Funnel, funnelOf } from "../../platform/observe/funnel.ts";
import { FormChoice } from "../parts/form_choice.tsx";
import { type DayFunnel, daysOf, formsOf } from "./overview_numbers.ts";
import { chartDays, firstDay, lengthOf, type Period, periodText, previousOf } from "./overview_period.ts";
import { METRICS, overviewHref, type Selection, stepColumns } from "./overview_selection.ts";
import { sourceTitle } from "../parts/source_titles.ts";

/** The selected number by day, with the previous period, and all numbers as a table. */
export function ChartCard(
  { view, counts, today, selection }: {
    view: View;
    counts: readonly FormDay[];
    today: number;
    selection: Selection;
  },
): VNode {
  const { period, form, metric } = selection;
  const { label, valueOf, unit, empty } = METRICS[metric];
  const drawn = chartDays(period, counts);
  const first = firstDay(counts);
  const days = daysOf(counts, { ...drawn, form });
  const forms = formsOf(counts, period).map((each) => each.form);
  const formTitle = form === undefined ? "all forms" : sourceTitle(view.app.settings.current(), form);
  const total = number(valueOf(funnelOf(counts, { ...period, form })));
  const before = beforeOf(counts, selection);
  const length = lengthOf(period);
  const distance = `${counted(length, "day")} before`;
  return (
    <Card
      id="days"
      title={`${label} by day`}
      results={`${label} in ${periodText(period)}, ${formTitle}: ${total}${unit}`}
      lead={`Days are in ${
        siteZone(view.app.settings.current())
      }. Today is incomplete. Confirmations are counted on the day they happened.`}
    >
      {forms.length === 0 && form === undefined
        ? (
          <Empty title="No data for this period">
            Views appear here as soon as a visitor sees one of your forms.
          </Empty>
        )
        : (
          <>
            {(forms.length > 1 || form !== undefined) && (
              <FormChoice
                view={view}
                forms={forms}
                form={form}
                href={(form) => `${overviewHref(view, { ...selection, form })}#days`}
              />
            )}
            {days.some((day) => valueOf(day) > 0)
              ? (
                <figure class="days">
                  {before && <Legend label={label} period={period} />}
                  <DayChart
                    id="chart"
                    title={`${label} by day: ${formTitle}`}
                    description="The table below shows the same data."
                    unit={unit}
                    columns={days.map((each) => {
                      const earlier = before && valueOf(before(each.day));
                      return {
                        label: dateOf(each.day),
                        text: textOf(each, today) +
                          (earlier === undefined ? "" : `. ${label} ${distance}: ${number(earlier)}${unit}`),
                        value: valueOf(each),
                        before: earlier,
                        open: each.day === today,
                      };
                    })}
                  />
                </figure>
              )
              : <Empty title={empty} />}
            {first > period.from && first < period.until && (
              <p class="help">
                {`No data before ${dateOf(first)}`}
                {drawn.from > period.from
                  ? `, so the chart starts on ${dateOf(drawn.from)} instead of ${dateOf(period.from)}.`
                  : "."}
              </p>
            )}
            <details>
              <summary>Show as table</summary>
              <Table
                caption={`Table of views, signups and confirmations by day: ${formTitle}`}
                rows={days.toReversed()}
                keyOf={({ day }) => String(day)}
                columns={[
                  { title: "Day", cell: ({ day }) => dateOf(day) + (day === today ? " (so far)" : "") },
                  ...stepColumns<DayFunnel>(),
                ]}
              />
            </details>
          </>
        )}
    </Card>
  );
}

/** Returns a function for the same day of the previous period, or undefined if there is no data for that period. */
function beforeOf(counts: readonly FormDay[], { period, form, metric }: Selection) {
  const previous = previousOf(period);
  if (METRICS[metric].valueOf(funnelOf(counts, { ...previous, form })) === 0) return undefined;
  const days = daysOf(counts, { ...previous, form });
  return (day: number): Funnel => days[day - period.from]!;
}

function Legend({ label, period }: { label: string; period: Period }) {
  const length = lengthOf(period);
  return (
    <figcaption>
      <span class="legend">
        <svg width="12" height="12" aria-hidden="true">
          <rect class="bar" width="12" height="12" rx="2" />
        </svg>
        {label}
      </span>
      <span class="legend">
        <svg width="16" height="12" aria-hidden="true">
          <line class="before" x1="0" x2="16" y1="6" y2="6" />
        </svg>
        {length === 1 ? "The day before" : `The ${length} days before`}
      </span>
    </figcaption>
  );
}

function textOf({ day, seen, accepted, confirmed }: DayFunnel, today: number): string {
  const text = `${dateOf(day)}: ${counted(seen, "view")}, ${counted(accepted, "signup")}, ${
    number(confirmed)
  } confirmed`;
  return day === today ? `${text} so far` : text;
}
