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

/** Says what cannot be published while the experiment of a form is running. */
export function RunningExperiment({ view, id }: { view: View; id: DraftedId }): VNode | null {
  if (experimentOf(view.app.settings.current(), id)?.state !== "running") return null;
  return (
    <p class="help experiment-note">
      While the <a href={view.href(experimentPath(id.name))}>experiment</a>{" "}
      is running, what visitors see cannot be published, because its counts would mix; you can save it as a
      draft. The list, the tags and the status can be changed at any time.
    </p>
  );
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
