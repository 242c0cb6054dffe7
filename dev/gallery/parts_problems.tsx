import type { VNode } from "preact";
import { ProblemList } from "../../server/admin/parts/problems.tsx";
import { Moment } from "../../server/admin/parts/site_time.tsx";
import type { View } from "../../server/admin/frame/view.ts";

/** The list of problems in every state, for the gallery of parts. */
export function Problems({ view }: { view: View }): VNode {
  const since = (
    <>
      Since <Moment at={view.now} />
    </>
  );
  return (
    <ProblemList
      view={view}
      problems={[
        {
          id: "parts.bad",
          tone: "bad",
          what: "A problem that loses signups.",
          todo: "What to do about it.",
          link: { to: "/parts", label: "Link" },
          note: since,
        },
        { id: "parts.warn", tone: "warn", what: "A problem that could.", todo: "What to do about it." },
        {
          id: "parts.asks",
          tone: "warn",
          what: "A problem with a fix that cannot be undone.",
          todo: "What to do about it.",
          link: { to: "/parts", label: "Link" },
          action: {
            name: "cfbe_end_confirmations",
            label: "End open confirmations",
            asks: { title: "End the open confirmations?", text: "What happens then." },
          },
        },
      ]}
    />
  );
}
