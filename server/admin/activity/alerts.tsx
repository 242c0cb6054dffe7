import { dateOf } from "../frame/dates.ts";
import { number } from "../../platform/words/counted.ts";
import { siteZone } from "../../settings/schema/time_zone.ts";
import type { VNode } from "preact";
import { CHECK_ALERTS_EVERY_MS, latestCheck } from "../../operations/alerts/check_job.ts";
import { allOpenAlerts } from "../../operations/alerts/database_alert.ts";
import { type OpenAlert, pastAlerts, type PastRow } from "../../operations/alerts/rows.ts";
import { notAccepted } from "../../operations/alerts/weekly_summary.ts";
import type { WeeklySummary } from "../../settings/hooks/types.ts";
import { DAY_MS } from "../../platform/observe/counters.ts";
import { definePage } from "../frame/page.ts";
import { Card, Empty, Stat, Stats } from "../parts/card.tsx";
import { PostForm } from "../parts/form.tsx";
import { Notice } from "../parts/notice.tsx";
import { ProblemList } from "../parts/problems.tsx";
import { Moment } from "../parts/site_time.tsx";
import { Table } from "../parts/table.tsx";
import type { View } from "../frame/view.ts";
import { reasonTitle } from "./overview_drops.ts";

type Resolved = Exclude<PastRow, { kind: "summary" }>;

export const alertsPage = definePage({
  path: "/alerts",
  title: "Alerts",
  lead: "Problems that cost you signups or data, or could. cfbe looks for them every five minutes.",
  group: "Audience & activity",
  icon: "bell",
  shortcut: "l",
  capability: "view",
  count: (view) => ({ number: view.openAlerts, noun: "open" }),
  services: ["kv", "databaseAlert", "hooks"],
  async render(view) {
    const { kv } = view.app;
    const [open, past, check] = await Promise.all([allOpenAlerts(view.app), pastAlerts(kv), latestCheck(kv)]);
    const [latest] = past.flatMap((row) => row.kind === "summary" ? [row] : []);
    const resolved = past.flatMap((row) => row.kind === "summary" ? [] : [row]);
    return (
      <>
        <AsOf check={check} />
        {open.length === 0 ? <Notice kind="good">No open alerts.</Notice> : (
          <Card title="Open">
            <ProblemList
              view={view}
              problems={open.map((alert) => ({
                ...alert.problem,
                note: <SeenNote alert={alert} now={view.now} />,
              }))}
            />
          </Card>
        )}
        <SummaryCard view={view} summary={latest?.summary} />
        <ResolvedCard resolved={resolved} />
        <NotificationsCard view={view} />
      </>
    );
  },
});

/** Says how old the information on the page is. */
function AsOf({ check }: { check: Awaited<ReturnType<typeof latestCheck>> }): VNode {
  if (!check) return <p class="help as-of">cfbe has not looked for problems yet.</p>;
  return (
    <p class="help as-of">
      {check.ended
        ? (
          <>
            As of <Moment at={check.at} />.
          </>
        )
        : (
          <>
            A check has been due since <Moment at={check.at} />.
          </>
        )}
    </p>
  );
}

/** Says since when there has been a problem, and whether it has been away for a while and may soon be resolved. */
function SeenNote({ alert: { since, seenAt }, now }: { alert: OpenAlert; now: number }): VNode {
  const isAway = now - seenAt > 2 * CHECK_ALERTS_EVERY_MS;
  return (
    <>
      Since <Moment at={since} />
      {isAway && (
        <>
          , last seen <Moment at={seenAt} />. It is resolved if it does not come back soon.
        </>
      )}
    </>
  );
}

function SummaryCard({ view, summary }: { view: View; summary: WeeklySummary | undefined }): VNode {
  if (!summary) {
    return (
      <Card title="Weekly summary">
        <Empty title="No summary yet">
          Every Monday at 9:00, the figures of the last week appear here beside those of the week before.
        </Empty>
      </Card>
    );
  }
  const { from, to, before } = summary;
  const reasons = [...new Set([...Object.keys(summary.notAccepted), ...Object.keys(before.notAccepted)])];
  const noteOf = (count: number) => `${number(count)} in the week before`;
  return (
    <Card
      title="Weekly summary"
      lead={`${shortDate(from)} to ${shortDate(to)}. Days are in ${siteZone(view.app.settings.current())}.`}
      actions={<a class="button" href={view.href(`/overview?from=${from}&to=${to}`)}>Show days</a>}
    >
      <Stats>
        <Stat label="Signups" value={number(summary.signups)} note={noteOf(before.signups)} />
        <Stat label="Confirmed" value={number(summary.confirmed)} note={noteOf(before.confirmed)} />
        <Stat
          label="Not accepted"
          value={number(notAccepted(summary))}
          note={noteOf(notAccepted(before))}
        />
        <Stat label="Failed jobs" value={number(summary.failedJobs)} note={noteOf(before.failedJobs)} />
      </Stats>
      {reasons.length > 0 && (
        <Table
          caption="Requests not accepted, by reason"
          rows={reasons}
          keyOf={(entry) => entry}
          columns={[
            { title: "Not accepted because", cell: reasonTitle },
            { title: "Week", number: true, cell: (entry) => number(summary.notAccepted[entry] ?? 0) },
            { title: "Week before", number: true, cell: (entry) => number(before.notAccepted[entry] ?? 0) },
          ]}
        />
      )}
    </Card>
  );
}

/** @param date such as `2026-11-16` */
function shortDate(date: string): string {
  return dateOf(Date.parse(date) / DAY_MS);
}

function ResolvedCard({ resolved }: { resolved: readonly Resolved[] }): VNode {
  return (
    <Card title="Resolved in the last 30 days">
      {resolved.length === 0
        ? <Empty title="No resolved alerts">An alert moves here when its problem has gone.</Empty>
        : (
          <Table
            caption="Resolved alerts, newest first"
            rows={resolved}
            keyOf={({ kind, resolvedAt }) => `${kind} ${resolvedAt}`}
            columns={[
              { title: "Problem", cell: ({ problem }) => problem.what },
              { title: "Opened", cell: ({ openedAt }) => <Moment at={openedAt} short /> },
              { title: "Resolved", cell: ({ resolvedAt }) => <Moment at={resolvedAt} short /> },
            ]}
          />
        )}
    </Card>
  );
}

/** How to get alerts outside the admin. */
function NotificationsCard({ view }: { view: View<"hooks"> }): VNode {
  if (!view.may("operate")) {
    return (
      <Card title="Notifications">
        <p>
          {view.app.hooks.has("cfbe_alert")
            ? "Alerts and weekly summaries are also sent where an admin has set this up."
            : "Alerts appear only here. An admin can have them sent to a chat or by email."}
        </p>
      </Card>
    );
  }
  return (
    <Card title="Notifications">
      {view.app.hooks.has("cfbe_alert")
        ? (
          <>
            <p>
              Alerts and weekly summaries are sent to <code>cfbe_alert</code> in your config file.
            </p>
            <PostForm view={view} action="cfbe_send_test_alert">
              <button type="submit">Send a test alert</button>
            </PostForm>
          </>
        )
        : (
          <p>
            Alerts appear only here. To get them in a chat or by email, add the hook <code>cfbe_alert</code>
            {" "}
            to your config file. The page on hooks in the documentation has an example for both.
          </p>
        )}
    </Card>
  );
}
