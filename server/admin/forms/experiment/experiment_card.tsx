import type { VNode } from "preact";
import { experimentOf } from "../../../forms/experiments/running.ts";
import type { Experiment } from "../../../settings/schema/experiment_schema.ts";
import type { DraftedId } from "../../../settings/forms/form_drafts.ts";
import { experimentPath } from "../../parts/form_path.ts";
import { Card } from "../../parts/card.tsx";
import { Badge } from "../../parts/notice.tsx";
import type { View } from "../../frame/view.ts";

const STATES = { draft: "Draft", running: "Running", stopped: "Ended" } as const;

export function StateBadge({ state }: Pick<Experiment, "state">): VNode {
  return <Badge kind={state === "running" ? "good" : "plain"}>{STATES[state]}</Badge>;
}

/** Leads from a form to its experiment. */
export function ExperimentCard({ view, id }: { view: View; id: DraftedId }): VNode {
  const experiment = experimentOf(view.app.settings.current(), id);
  return (
    <Card
      id="experiment"
      title="Experiment"
      lead="Show variants of this form to different visitors, and keep the one with more confirmed signups."
    >
      <p>
        {experiment && (
          <>
            <StateBadge state={experiment.state} />
            {" "}
          </>
        )}
        <a href={view.href(experimentPath(id.name))}>
          {experiment ? "See the experiment" : "Create an experiment"}
        </a>
      </p>
    </Card>
  );
}
