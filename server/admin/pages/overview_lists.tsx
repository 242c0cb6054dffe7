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

/** What the site's owner should look at. */
export function AttentionCard({ view, attention }: { view: View; attention: readonly Attention[] }): VNode {
  if (attention.length === 0) {
    return <Notice kind="good">Nothing needs your attention.</Notice>;
  }
  return (
    <Card id="attention" title="What needs attention">
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
            {link && <a class="button" href={view.href(link.to)}>{link.says}</a>}
            {action && (
              <PostForm view={view} action={action.name} class="inline">
                <button type="submit" class="primary">{action.says}</button>
              </PostForm>
            )}
          </li>
        ))}
      </ul>
    </Card>
  );
}

/** Why requests became no signup: silent to visitors, never to the owner. */
export function DropsCard(
  { view, drops, requests, span }: {
    view: View;
    drops: readonly Drop[];
    requests: number;
    span: Span;
  },
): VNode {
  return (
    <Card
      id="drops"
      title="What did not become a signup"
      lead={`Of ${requests.toLocaleString("en")} ${
        requests === 1 ? "request" : "requests"
      } in the last ${span} days, all forms together. Bots are told that it worked.`}
    >
      {drops.length === 0
        ? (
          <Empty title={requests === 0 ? "There were no requests" : "Every request became a signup"}>
            What is dropped, refused or not filled in right is counted here, by its reason.
          </Empty>
        )
        : (
          <Table
            caption="Reasons, how often, and what to do"
            rows={drops}
            keyOf={({ entry }) => entry}
            columns={[
              { title: "Why", cell: ({ what }) => <strong>{what}</strong> },
              { title: "How often", number: true, cell: ({ count }) => count.toLocaleString("en") },
              {
                title: "Share",
                number: true,
                cell: ({ count }) => requests === 0 ? "–" : share(count, requests),
              },
              {
                title: "What to do",
                cell: ({ todo, to }) => (
                  <>
                    {todo} {to && <a href={view.href(to)}>Open the page</a>}
                  </>
                ),
              },
            ]}
          />
        )}
    </Card>
  );
}
