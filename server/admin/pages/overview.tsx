import type { VNode } from "preact";
import type { Page } from "../page.ts";
import { Card } from "../parts/card.tsx";
import { Tabs } from "../parts/tabs.tsx";
import type { View } from "../view.ts";
import { firstRunOf } from "./first_run_state.ts";
import { attentionFor } from "./overview_attention.ts";
import { dropsOf } from "./overview_drops.ts";
import { DAYS_LOOKED_AT, readFacts } from "./overview_facts.ts";
import { ChartCard, FormsCard, FunnelStats, overviewHref } from "./overview_funnel.tsx";
import { AttentionCard, DropsCard } from "./overview_lists.tsx";
import { dayOf, entriesOf, spanOf, SPANS } from "./overview_numbers.ts";

export const overviewPage: Page = {
  path: "/overview",
  title: "Overview",
  lead: "Who saw a form, who signed up, who confirmed, and what needs you.",
  group: "Watch",
  capability: "view",
  async render(view) {
    const { counters } = view.app;
    const today = dayOf(view.now);
    const span = spanOf(view.query.get("days"));
    const counts = await counters.days(today - Math.max(2 * span, DAYS_LOOKED_AT) + 1, today + 1);
    const [facts, firstRun] = await Promise.all([readFacts(view.app, counts), firstRunOf(view.app)]);
    const entries = entriesOf(counts, { from: today - span + 1, until: today + 1 });
    const form = view.query.get("form") ?? undefined;
    return (
      <>
        {!firstRun.done && <Invitation view={view} left={firstRun.left} />}
        <AttentionCard view={view} attention={attentionFor(facts)} />
        <Tabs
          label="Span"
          tabs={SPANS.map((days) => ({
            title: `${days} days`,
            href: overviewHref(view, { days, form }),
            current: days === span,
          }))}
        />
        <FunnelStats counts={counts} today={today} span={span} form={form} />
        <ChartCard view={view} counts={counts} today={today} span={span} form={form} />
        <FormsCard view={view} counts={counts} today={today} span={span} />
        <DropsCard view={view} drops={dropsOf(entries)} requests={entries["requests"] ?? 0} span={span} />
      </>
    );
  },
};

function Invitation({ view, left }: { view: View; left: number }): VNode {
  return (
    <Card
      id="invitation"
      title="Set up your first form"
      lead={`${
        left === 1 ? "One step is" : `${left} steps are`
      } left until somebody has signed up and confirmed.`}
      actions={<a class="button primary" href={view.href("/first-run")}>Go on with the first run</a>}
    >
      {null}
    </Card>
  );
}
