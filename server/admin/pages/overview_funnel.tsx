import type { ComponentChildren, VNode } from "preact";
import { DAY_MS, type DayCount } from "../../observe/counters.ts";
import { Card, Empty, Stat, Stats } from "../parts/card.tsx";
import { DayChart } from "../parts/day_chart.tsx";
import { Table } from "../parts/table.tsx";
import type { View } from "../view.ts";
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

interface Shown {
  counts: readonly DayCount[];
  today: number;
  span: Span;
}

type Of = { form: string | undefined };

const number = (value: number) => value.toLocaleString("en");

/** The Overview of these days, and of this form alone. */
export function overviewHref(view: View, { days, form }: { days: Span; form: string | undefined }): string {
  const query = new URLSearchParams({ days: String(days), ...(form !== undefined && { form }) });
  return view.href(`/overview?${query}`);
}

export function FunnelStats({ counts, today, span, form }: Shown & Of): VNode {
  const now = funnelOf(counts, { from: today - span + 1, until: today + 1, form });
  const before = funnelOf(counts, { from: today - 2 * span + 1, until: today - span + 1, form });
  const rate = rateOf(now);
  const rateBefore = rateOf(before);
  return (
    <Stats>
      <Step label="Seen" now={now.seen} before={before.seen} span={span} />
      <Step label="Accepted" now={now.accepted} before={before.accepted} span={span} />
      <Step label="Confirmed" now={now.confirmed} before={before.confirmed} span={span} />
      <Stat
        label="Confirmation rate"
        value={rate === undefined ? "–" : `${Math.round(rate)} %`}
        note={rateBefore === undefined
          ? "nothing to compare with yet"
          : `${Math.round(rateBefore)} % in the ${span} days before`}
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
      note={change === undefined ? `none in the ${span} days before` : `${change} in the ${span} days before`}
    />
  );
}

/** Seen above; accepted and confirmed below, with a scale of their own; the same figures as a table. */
export function ChartCard({ view, counts, today, span, form }: Shown & Of & { view: View }): VNode {
  const days = daysOf(counts, { today, span, form });
  const forms = formsOf(counts, { from: today - span + 1, until: today + 1 });
  const whose = form === undefined ? "all forms" : titleOfForm(form);
  return (
    <Card
      id="days"
      title="Day by day"
      lead="Days are UTC, and today is still being counted. A confirmation counts on the day it came."
    >
      {forms.length === 0 && form === undefined
        ? (
          <Empty title="Nothing has been counted in these days">
            As soon as a form of yours comes into a visitor's view, it shows here.
          </Empty>
        )
        : (
          <>
            {(forms.length > 1 || form !== undefined) && (
              <FormChoice view={view} forms={forms} span={span} form={form} />
            )}
            <figure class="days">
              <figcaption>
                <Legend series={0}>Seen</Legend>
                <Legend series={1}>Accepted</Legend>
                <Legend series={2}>Confirmed</Legend>
              </figcaption>
              <DayChart
                id="chart"
                title={`Seen, accepted and confirmed day by day: ${whose}`}
                says={`The last ${span} days. The table below has the same figures.`}
                columns={days.map((each) => columnOf(each, today))}
                panels={[{ wide: 0, height: 64 }, { wide: 1, narrow: 2, height: 168 }]}
              />
            </figure>
            <details>
              <summary>The same figures as a table</summary>
              <Table
                caption={`Seen, accepted and confirmed by day: ${whose}`}
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
  { view, forms, span, form }: { view: View; forms: FormFunnel[]; span: Span } & Of,
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
              {each === undefined ? "All forms" : titleOfForm(each)}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

/** What each form achieved in these days. */
export function FormsCard({ view, counts, today, span }: Shown & { view: View }): VNode | null {
  const forms = formsOf(counts, { from: today - span + 1, until: today + 1 });
  if (forms.length === 0) return null;
  return (
    <Card
      id="forms"
      title="Form by form"
      lead="Seen: how often a form came into somebody's view. Accepted: signups taken. Confirmed: those who meant it."
    >
      <Table
        caption={`Seen, accepted and confirmed by form in the last ${span} days`}
        rows={forms}
        keyOf={({ form }) => form}
        columns={[
          {
            title: "Form",
            cell: ({ form }) => (
              <a href={`${overviewHref(view, { days: span, form })}#days`}>{titleOfForm(form)}</a>
            ),
          },
          ...stepColumns<FormFunnel>(),
          {
            title: "Of those who saw it",
            number: true,
            cell: ({ seen, accepted }) => seen === 0 ? "–" : `${share(accepted, seen)} signed up`,
          },
        ]}
      />
    </Card>
  );
}

function stepColumns<Row extends Funnel>() {
  return [
    { title: "Seen", number: true, cell: ({ seen }: Row) => number(seen) },
    { title: "Accepted", number: true, cell: ({ accepted }: Row) => number(accepted) },
    { title: "Confirmed", number: true, cell: ({ confirmed }: Row) => number(confirmed) },
  ];
}

/** Below ten percent a decimal tells forms apart. */
export function share(part: number, whole: number): string {
  const percent = Math.min(100, part / whole * 100);
  return `${percent.toFixed(percent > 0 && percent < 9.95 ? 1 : 0)} %`;
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
  const says = `${dateOf(day)}: ${number(seen)} seen, ${number(accepted)} accepted, ${
    number(confirmed)
  } confirmed`;
  return {
    label: dateOf(day),
    says: day === today ? `${says} so far` : says,
    values: [seen, accepted, confirmed],
    open: day === today,
  };
}

const DATE = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", timeZone: "UTC" });

function dateOf(day: number): string {
  return DATE.format(day * DAY_MS);
}

const SOURCE_TITLES: Readonly<Record<string, string>> = {
  shortcode: "Default form",
  block: "Default block",
  promo: "Default promo",
  popup: "Popup",
  checkout: "Checkout",
  account: "Shop accounts",
  integration: "Other servers",
  "-": "Not known by name",
};

/** As the site's owner knows it: a named form is called what it is called. */
function titleOfForm(form: string): string {
  return SOURCE_TITLES[form] ?? form;
}
