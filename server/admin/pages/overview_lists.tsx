import type { VNode } from "preact";
import { Card, Empty } from "../parts/card.tsx";
import { PostForm } from "../parts/form.tsx";
import { Icon } from "../parts/icons.tsx";
import { Notice } from "../parts/notice.tsx";
import { Table } from "../parts/table.tsx";
import type { View } from "../view.ts";
import type { Attention } from "./overview_attention.ts";
import type { Drop } from "./overview_drops.ts";
import { share } from "./overview_funnel.tsx";
import type { Span } from "./overview_numbers.ts";
import { TAB_TITLES } from "../../settings/tabs.ts";

/** What the site's owner should act on. */
export function AttentionCard({ view, attention }: { view: View; attention: readonly Attention[] }): VNode {
  if (attention.length === 0) {
    return <Notice kind="good">Nothing needs your attention.</Notice>;
  }
  return (
    <Card id="attention" title="Needs attention">
      <ul class="attention">
        {attention.map(({ id, tone, what, todo, link, action }) => (
          <li key={id} class={tone}>
            <Icon name="alert" />
            <div>
              <p>
                <strong>{what}</strong>
              </p>
              <p class="help">{todo}</p>
            </div>
            {link && <a class="button" href={view.href(link.to)}>{link.label}</a>}
            {action && (
              <PostForm view={view} action={action.name} class="inline">
                <button type="submit" class="primary">{action.label}</button>
              </PostForm>
            )}
          </li>
        ))}
      </ul>
    </Card>
  );
}

/** Why requests were not accepted. Visitors are not told all of these reasons. */
export function DropsCard(
  { view, drops, entries, span }: {
    view: View;
    drops: readonly Drop[];
    entries: Record<string, number>;
    span: Span;
  },
): VNode {
  const requests = entries["requests"] ?? 0;
  const lost = requests - (entries["accepted"] ?? 0);
  return (
    <Card
      id="drops"
      title="Requests not accepted"
      lead={`${lost.toLocaleString("en")} of ${
        requests.toLocaleString("en")
      } requests in the last ${span} days (all forms). Bots see a success message.`}
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
              { title: "Count", number: true, cell: ({ count }) => count.toLocaleString("en") },
              {
                title: "Share",
                number: true,
                cell: ({ count }) => requests === 0 ? "–" : share(count, requests),
              },
              {
                title: "What to do",
                cell: ({ todo, to }) => (
                  <>
                    {todo} {to && <a href={view.href(`/${to}`)}>Go to {TAB_TITLES[to]}</a>}
                  </>
                ),
              },
            ]}
          />
        )}
    </Card>
  );
}
