import { counted, number } from "../../platform/words/counted.ts";
import { formPath } from "../parts/form_path.ts";
import type { VNode } from "preact";
import type { FormDay } from "../../platform/observe/counters.ts";
import { Card, Empty } from "../parts/card.tsx";
import { Notice } from "../parts/notice.tsx";
import { ProblemList } from "../parts/problems.tsx";
import { Table } from "../parts/table.tsx";
import type { View } from "../frame/view.ts";
import type { Problem } from "../../operations/checks/check.ts";
import { adviceFor } from "../parts/advice.ts";
import { dropsOf, FIELD_TITLES } from "./overview_drops.ts";
import { entriesOf } from "../../platform/observe/funnel.ts";
import { type Period, periodText } from "./overview_period.ts";
import { share } from "../parts/share.ts";
import { sourceTitle } from "../parts/source_titles.ts";
import { TAB_TITLES } from "../../settings/store/tabs.ts";

/** What the operator should act on. */
export function AttentionCard({ view, problems }: { view: View; problems: readonly Problem[] }): VNode {
  if (problems.length === 0) {
    return <Notice kind="good">Nothing needs your attention.</Notice>;
  }
  return (
    <Card id="attention" title="Needs attention">
      <ProblemList view={view} problems={problems} />
    </Card>
  );
}

/** Returns the path of the page with the settings of a form that was counted: its name, or its source. */
function formPage({ app }: View, form: string): string {
  if (app.settings.current().forms.forms.some(({ name }) => name === form)) return formPath(form);
  return form === "popup" ? "/popup" : "/form-defaults";
}

/** Why requests were not accepted. Visitors are not told all of these reasons. */
export function DropsCard(
  { view, counts, period }: { view: View; counts: readonly FormDay[]; period: Period },
): VNode {
  const entries = entriesOf(counts, period);
  const drops = dropsOf(counts, period);
  const requests = entries["requests"] ?? 0;
  const lost = requests - (entries["accepted"] ?? 0);
  return (
    <Card
      id="drops"
      title="Requests not accepted"
      lead={lost > 0 &&
        `${number(lost)} of ${counted(requests, "request")} in ${periodText(period)} ${
          lost === 1 ? "was" : "were"
        } not accepted (all forms). Bots see a success message.`}
    >
      {drops.length === 0
        ? (
          <Empty title={requests === 0 ? "No requests" : "All requests were accepted"}>
            Requests that are not accepted are listed here by reason.
          </Empty>
        )
        : (
          <Table
            caption="Reasons, counts and what to do"
            rows={drops}
            keyOf={({ entry }) => entry}
            columns={[
              { title: "Reason", cell: ({ title }) => <strong>{title}</strong> },
              { title: "Count", number: true, cell: ({ count }) => number(count) },
              {
                title: "Share",
                number: true,
                cell: ({ count }) => requests === 0 ? "–" : share(count, requests),
              },
              {
                title: "What to do",
                cell: ({ todo, to, at }) => (
                  <>
                    {adviceFor(view, { todo })} {at
                      ? at.map((form, index) => (
                        <>
                          {index > 0 && ", "}
                          <a href={view.href(formPage(view, form))}>
                            Go to {sourceTitle(view.app.settings.current(), form)}
                          </a>
                        </>
                      ))
                      : to && <a href={view.href(`/${to}`)}>Go to {TAB_TITLES[to]}</a>}
                  </>
                ),
              },
              {
                title: "Where",
                cell: ({ forms, fields }) => (
                  <small>
                    {forms.map(([form, count]) =>
                      `${sourceTitle(view.app.settings.current(), form)}: ${number(count)}`
                    ).join(", ")}
                    {fields.length > 0 && (
                      <>
                        <br />
                        {fields.map(([field, count]) => `${FIELD_TITLES[field]}: ${number(count)}`).join(
                          ", ",
                        )}
                      </>
                    )}
                  </small>
                ),
              },
            ]}
          />
        )}
    </Card>
  );
}
