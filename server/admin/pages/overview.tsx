import type { VNode } from "preact";
import type { Page } from "../page.ts";
import { Card } from "../parts/card.tsx";
import type { View } from "../view.ts";
import { firstRunOf } from "./first_run_state.ts";
import { attentionFor } from "./overview_attention.ts";
import { DAYS_NEEDED, readFacts } from "./overview_facts.ts";
import { ChartCard } from "./overview_chart.tsx";
import { FormsCard, FunnelStats, PeriodBar } from "./overview_funnel.tsx";
import { AttentionCard, DropsCard } from "./overview_lists.tsx";
import { dayOf } from "./overview_numbers.ts";
import { previousOf } from "./overview_period.ts";
import { selectionOf } from "./overview_selection.ts";

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
    const selection = selectionOf(view.query, today);
    const { period } = selection;
    const first = Math.min(previousOf(period).from, today - DAYS_NEEDED + 1);
    const counts = await counters.days(first, today + 1);
    const [facts, firstRun] = await Promise.all([readFacts(view.app, counts), firstRunOf(view.app)]);
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
        <PeriodBar view={view} selection={selection} today={today} />
        <FunnelStats view={view} counts={counts} selection={selection} />
        <ChartCard view={view} counts={counts} today={today} selection={selection} />
        <FormsCard view={view} counts={counts} selection={selection} />
        <DropsCard view={view} counts={counts} period={period} />
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
