import type { VNode } from "preact";
import type { Page } from "../page.ts";
import { Card } from "../parts/card.tsx";
import { Tabs } from "../parts/tabs.tsx";
import type { View } from "../view.ts";
import { firstRunOf } from "./first_run_state.ts";
import { attentionFor } from "./overview_attention.ts";
import { dropsOf } from "./overview_drops.ts";
import { DAYS_NEEDED, readFacts } from "./overview_facts.ts";
import { ChartCard, FormsCard, FunnelStats, overviewHref } from "./overview_funnel.tsx";
import { AttentionCard, DropsCard } from "./overview_lists.tsx";
import { dayOf, entriesOf, spanOf, SPANS } from "./overview_numbers.ts";

export const overviewPage: Page = {
  path: "/overview",
  title: "Overview",
  lead: "Form views, signups and confirmations, plus anything that needs your attention.",
  group: "Audience & activity",
  icon: "overview",
  capability: "view",
  async render(view) {
    const { counters } = view.app;
    const today = dayOf(view.now);
    const span = spanOf(view.query.get("days"));
    const counts = await counters.days(today - Math.max(2 * span, DAYS_NEEDED) + 1, today + 1);
    const [facts, firstRun] = await Promise.all([readFacts(view.app, counts), firstRunOf(view.app)]);
    const entries = entriesOf(counts, { from: today - span + 1, until: today + 1 });
    const form = view.query.get("form") ?? undefined;
    const attention = attentionFor(facts);
    return (
      <>
        {!firstRun.done && (
          <SetupBanner
            view={view}
            left={firstRun.left}
            primary={!attention.some(({ action }) => action)}
          />
        )}
        <AttentionCard view={view} attention={attention} />
        <Tabs
          label="Period"
          tabs={SPANS.map((days) => ({
            title: `${days} days`,
            href: overviewHref(view, { days, form }),
            current: days === span,
          }))}
        />
        <FunnelStats counts={counts} today={today} span={span} form={form} />
        <ChartCard view={view} counts={counts} today={today} span={span} form={form} />
        <FormsCard view={view} counts={counts} today={today} span={span} />
        <DropsCard view={view} drops={dropsOf(entries)} entries={entries} span={span} />
      </>
    );
  },
};

/** @param primary whether the button is the page's primary one, because no problem is more urgent */
function SetupBanner({ view, left, primary }: { view: View; left: number; primary: boolean }): VNode {
  return (
    <Card
      id="invitation"
      title="Finish setting up"
      lead={`${left === 1 ? "One step" : `${left} steps`} left until your first confirmed signup.`}
      actions={
        <a class={primary ? "button primary" : "button"} href={view.href("/first-run")}>Continue setup</a>
      }
    >
      {null}
    </Card>
  );
}
