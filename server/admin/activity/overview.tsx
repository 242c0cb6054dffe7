import { counted } from "../../platform/words/counted.ts";
import type { VNode } from "preact";
import type { FormDay } from "../../platform/observe/counters.ts";
import { definePage } from "../frame/page.ts";
import { Card } from "../parts/card.tsx";
import type { View } from "../frame/view.ts";
import { firstRunOf } from "../setup/first_run_state.ts";
import { readProblems } from "../../operations/checks/registry.ts";
import { DAYS_NEEDED } from "../../operations/checks/values.ts";
import { ChartCard } from "./overview_chart.tsx";
import { FormsCard, FunnelStats } from "./overview_funnel.tsx";
import { AttentionCard, DropsCard } from "./overview_lists.tsx";
import { TEST_FORM, withoutTests } from "../../forms/public/test_form.ts";
import { siteDay } from "../../settings/schema/time_zone.ts";
import { funnelOf } from "../../platform/observe/funnel.ts";
import { type Days, previousOf } from "./overview_period.ts";
import { chartQuery, selectionOf } from "./overview_selection.ts";
import { PeriodBar } from "./period_bar.tsx";

export const overviewPage = definePage({
  path: "/overview",
  title: "Overview",
  lead: "Form views, signups and confirmations, plus anything that needs your attention.",
  group: "Audience & activity",
  icon: "overview",
  shortcut: "o",
  capability: "view",
  services: [
    "kv",
    "databaseHealth",
    "clock",
    "random",
    "keyring",
    "provider",
    "signupProviders",
    "watchedJobs",
    "providerHistory",
    "counters",
    "health",
    "proxyHeaders",
    "refusedOrigins",
    "processes",
    "admin",
    "apiTokens",
    "attackMode",
    "activation",
    "shop",
    "hooks",
  ],
  async render(view) {
    const { counters } = view.app;
    const today = siteDay(view.app.settings.current(), view.now);
    const selection = selectionOf(view.query, today);
    const { period } = selection;
    const first = Math.min(previousOf(period).from, today - DAYS_NEEDED + 1);
    const all = await counters.days(first, today + 1);
    const counts = withoutTests(all);
    const days = (from: number, until: number) =>
      Promise.resolve(all.filter(({ day }) => day >= from && day < until));
    const [problems, firstRun] = await Promise.all([
      readProblems({ ...view.app, counters: { ...counters, days } }, ({ overview }) => overview),
      firstRunOf(view.app),
    ]);
    return (
      <>
        {!firstRun.done && (
          <SetupBanner
            view={view}
            left={firstRun.left}
            primary={!problems.some(({ action }) => action && !action.asks)}
          />
        )}
        <AttentionCard view={view} problems={problems} />
        <PeriodBar
          view={view}
          path="/overview"
          download="/overview/days.csv"
          period={period}
          others={chartQuery(selection)}
          today={today}
        />
        <TestSignups counts={all} period={period} />
        <FunnelStats view={view} counts={counts} selection={selection} />
        <ChartCard view={view} counts={counts} today={today} selection={selection} />
        <FormsCard view={view} counts={counts} selection={selection} />
        <DropsCard view={view} counts={counts} period={period} />
      </>
    );
  },
});

/** Says that test signups are left out, so that nobody looks for them in the figures. */
function TestSignups({ counts, period }: { counts: readonly FormDay[]; period: Days }): VNode | null {
  const { accepted } = funnelOf(counts, { ...period, form: TEST_FORM });
  if (accepted === 0) return null;
  return (
    <p class="help">
      {counted(accepted, "test signup is", "test signups are")} not included in these figures.
    </p>
  );
}

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
