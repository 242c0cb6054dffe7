import type { VNode } from "preact";
import { isoDay } from "../../platform/observe/funnel.ts";
import { Icon } from "../parts/icons.tsx";
import { Tabs } from "../parts/tabs.tsx";
import type { View } from "../frame/view.ts";
import { type Period, periodQuery, periodTabs } from "./overview_period.ts";

/** The choice of a page's period, and the download of its numbers. */
export function PeriodBar(
  { view, path, download, period, others, today }: {
    view: View;
    /** Path of the page. */
    path: string;
    /** Path of the download, which takes the same query. */
    download: string;
    period: Period;
    /** The other parameters of the page's query, which stay. */
    others: Readonly<Record<string, string>>;
    today: number;
  },
): VNode {
  const query = new URLSearchParams({ ...periodQuery(period), ...others });
  return (
    <div class="period">
      <Tabs
        label="Period"
        tabs={periodTabs(
          period,
          (query) => view.href(`${path}?${new URLSearchParams({ ...query, ...others })}`),
        )}
      />
      <form method="get" action={view.href(path)}>
        {Object.entries(others).map(([name, value]) => (
          <input key={name} type="hidden" name={name} value={value} />
        ))}
        <DateField name="from" label="From" today={today} day={period.from} />
        <DateField name="to" label="to" today={today} day={period.until - 1} />
        <button type="submit">Show</button>
      </form>
      <a class="button" href={view.href(`${download}?${query}`)} download>
        <Icon name="download" /> Export CSV
      </a>
    </div>
  );
}

function DateField(
  { name, label, today, day }: { name: "from" | "to"; label: string; today: number; day: number },
) {
  return (
    <span>
      <label for={name}>{label}</label>
      <input id={name} type="date" name={name} required max={isoDay(today)} value={isoDay(day)} />
    </span>
  );
}
