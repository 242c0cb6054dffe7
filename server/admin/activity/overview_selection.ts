import { number } from "../../platform/words/counted.ts";
import type { View } from "../frame/view.ts";
import { type Funnel } from "../../platform/observe/funnel.ts";
import { rateOf } from "./overview_numbers.ts";
import { type Period, periodOf, periodQuery } from "./overview_period.ts";

/** A number of the Overview, which has a tile and a chart. */
interface MetricInfo {
  label: string;
  valueOf(funnel: Funnel): number;
  /** After the number, such as "%". */
  unit: string;
  /** Shown in place of a chart without bars. */
  empty: string;
}

export type Metric = "views" | "signups" | "confirmed" | "rate";

export const METRICS: Readonly<Record<Metric, MetricInfo>> = {
  views: { label: "Form views", valueOf: ({ seen }) => seen, unit: "", empty: "No form views" },
  signups: { label: "Signups", valueOf: ({ accepted }) => accepted, unit: "", empty: "No signups" },
  confirmed: {
    label: "Confirmed",
    valueOf: ({ confirmed }) => confirmed,
    unit: "",
    empty: "No confirmations",
  },
  rate: {
    label: "Confirmation rate",
    valueOf: (funnel) => Math.round(rateOf(funnel) ?? 0),
    unit: "%",
    empty: "No confirmations",
  },
};

const DEFAULT_METRIC: Metric = "signups";

/** What the Overview shows. It is in the URL. */
export interface Selection {
  period: Period;
  /** The number in the chart. */
  metric: Metric;
  /** One form, or undefined for all. */
  form: string | undefined;
}

export function selectionOf(query: URLSearchParams, today: number): Selection {
  const chart = query.get("chart") ?? "";
  return {
    period: periodOf(query, today),
    metric: Object.hasOwn(METRICS, chart) ? chart as Metric : DEFAULT_METRIC,
    form: query.get("form") ?? undefined,
  };
}

/** Returns the query parameters of the chart and the form. */
export function chartQuery({ metric, form }: Pick<Selection, "metric" | "form">): Record<string, string> {
  return { ...(metric !== DEFAULT_METRIC && { chart: metric }), ...(form !== undefined && { form }) };
}

function selectionQuery(selection: Selection): URLSearchParams {
  return new URLSearchParams({ ...periodQuery(selection.period), ...chartQuery(selection) });
}

/** Returns the URL of the Overview for a selection. */
export function overviewHref(view: View, selection: Selection): string {
  return view.href(`/overview?${selectionQuery(selection)}`);
}

/** Returns the columns of a table of funnels. */
export function stepColumns<Row extends Funnel>() {
  return [
    { title: "Views", number: true, compact: true, cell: ({ seen }: Row) => number(seen) },
    { title: "Signups", number: true, compact: true, cell: ({ accepted }: Row) => number(accepted) },
    { title: "Confirmed", number: true, compact: true, cell: ({ confirmed }: Row) => number(confirmed) },
  ];
}
