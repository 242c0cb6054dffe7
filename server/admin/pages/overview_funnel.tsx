import type { ComponentChildren, VNode } from "preact";
import { DAY_MS, type DayCount } from "../../observe/counters.ts";
import { Card, Empty, Stat, Stats } from "../parts/card.tsx";
import { DayChart } from "../parts/day_chart.tsx";
import { Table } from "../parts/table.tsx";
import type { View } from "../view.ts";
import { sourceTitle } from "./source_titles.ts";
import {
  changeOf,
  type DayFunnel,
  daysOf,
  type FormFunnel,
  formsOf,
  type Funnel,
  funnelOf,
  rateOf,
  type Span,
} from "./overview_numbers.ts";

interface Period {
  counts: readonly DayCount[];
  today: number;
  span: Span;
}

type OneForm = { form: string | undefined };

const number = (value: number) => value.toLocaleString("en");

/** Returns the URL of the Overview for a period and, if given, one form. */
export function overviewHref(view: View, { days, form }: { days: Span; form: string | undefined }): string {
  const query = new URLSearchParams({ days: String(days), ...(form !== undefined && { form }) });
  return view.href(`/overview?${query}`);
}

export function FunnelStats({ counts, today, span, form }: Period & OneForm): VNode {
  const now = funnelOf(counts, { from: today - span + 1, until: today + 1, form });
  const before = funnelOf(counts, { from: today - 2 * span + 1, until: today - span + 1, form });
  const rate = rateOf(now);
  const rateBefore = rateOf(before);
  return (
    <Stats>
      <Step label="Form views" now={now.seen} before={before.seen} span={span} />
      <Step label="Signups" now={now.accepted} before={before.accepted} span={span} />
      <Step label="Confirmed" now={now.confirmed} before={before.confirmed} span={span} />
      <Stat
        label="Confirmation rate"
        value={rate === undefined ? "–" : `${Math.round(rate)}%`}
        note={rateBefore === undefined
          ? "No earlier data to compare"
          : `${Math.round(rateBefore)}% in the previous ${span} days`}
      />
    </Stats>
  );
}

function Step({ label, now, before, span }: { label: string; now: number; before: number; span: Span }) {
  const change = changeOf(now, before);
  return (
    <Stat
      label={label}
      value={number(now)}
      note={change === undefined
        ? `0 in the previous ${span} days`
        : `${change} in the previous ${span} days`}
    />
  );
}

/** Views in one panel, signups and confirmations in another with its own scale, and all of them as a table. */
export function ChartCard({ view, counts, today, span, form }: Period & OneForm & { view: View }): VNode {
  const days = daysOf(counts, { today, span, form });
  const forms = formsOf(counts, { from: today - span + 1, until: today + 1 });
  const formTitle = form === undefined ? "all forms" : sourceTitle(form);
  return (
    <Card
      id="days"
      title="By day"
      lead="Days are in UTC. Today is incomplete. Confirmations are counted on the day they happened."
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
              <FormChoice view={view} forms={forms} span={span} form={form} />
            )}
            <figure class="days">
              <figcaption>
                <Legend series={0}>Views</Legend>
                <Legend series={1}>Signups</Legend>
                <Legend series={2}>Confirmed</Legend>
              </figcaption>
              <DayChart
                id="chart"
                title={`Views, signups and confirmations by day: ${formTitle}`}
                description={`The last ${span} days. The table below shows the same data.`}
                columns={days.map((each) => columnOf(each, today))}
                panels={[{ wide: 0, height: 64 }, { wide: 1, narrow: 2, height: 168 }]}
              />
            </figure>
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

function FormChoice(
  { view, forms, span, form }: { view: View; forms: FormFunnel[]; span: Span } & OneForm,
): VNode {
  const choices = [undefined, ...new Set([...forms.map((each) => each.form), ...(form ? [form] : [])])];
  return (
    <nav aria-label="Form">
      <ul class="choices">
        {choices.map((each) => (
          <li key={each ?? ""}>
            <a
              href={`${overviewHref(view, { days: span, form: each })}#days`}
              aria-current={each === form ? "true" : undefined}
            >
              {each === undefined ? "All forms" : sourceTitle(each)}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

/** Views, signups and confirmations of each form. */
export function FormsCard({ view, counts, today, span }: Period & { view: View }): VNode | null {
  const forms = formsOf(counts, { from: today - span + 1, until: today + 1 });
  if (forms.length === 0) return null;
  return (
    <Card
      id="forms"
      title="By form"
      lead="Views: times the form appeared on screen. Signups: submissions accepted. Confirmed: people who clicked the link in the confirmation email."
    >
      <Table
        caption={`Views, signups and confirmations by form in the last ${span} days`}
        rows={forms}
        keyOf={({ form }) => form}
        columns={[
          {
            title: "Form",
            cell: ({ form }) => (
              <a href={`${overviewHref(view, { days: span, form })}#days`}>{sourceTitle(form)}</a>
            ),
          },
          ...stepColumns<FormFunnel>(),
          {
            title: "Conversion",
            number: true,
            cell: ({ seen, accepted }) => seen === 0 ? "–" : share(accepted, seen),
          },
        ]}
      />
    </Card>
  );
}

function stepColumns<Row extends Funnel>() {
  return [
    { title: "Views", number: true, cell: ({ seen }: Row) => number(seen) },
    { title: "Signups", number: true, cell: ({ accepted }: Row) => number(accepted) },
    { title: "Confirmed", number: true, cell: ({ confirmed }: Row) => number(confirmed) },
  ];
}

/** Returns a share in percent, with one decimal below ten percent. */
export function share(part: number, whole: number): string {
  const percent = Math.min(100, part / whole * 100);
  return `${percent.toFixed(percent > 0 && percent < 9.95 ? 1 : 0)}%`;
}

function Legend({ series, children }: { series: number; children: ComponentChildren }) {
  return (
    <span class="legend">
      <svg class="key" width="12" height="12" aria-hidden="true">
        <rect class={`series-${series}`} width="12" height="12" rx="2" />
      </svg>
      {children}
    </span>
  );
}

function columnOf({ day, seen, accepted, confirmed }: DayFunnel, today: number) {
  const text = `${dateOf(day)}: ${number(seen)} views, ${number(accepted)} signups, ${
    number(confirmed)
  } confirmed`;
  return {
    label: dateOf(day),
    text: day === today ? `${text} so far` : text,
    values: [seen, accepted, confirmed],
    open: day === today,
  };
}

const DATE = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", timeZone: "UTC" });

function dateOf(day: number): string {
  return DATE.format(day * DAY_MS);
}
