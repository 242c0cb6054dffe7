import type { VNode } from "preact";
import { startProblem } from "../../../forms/experiments/start_problem.ts";
import type { DraftedId, FormDraft } from "../../../settings/forms/form_drafts.ts";
import type { Experiment } from "../../../settings/schema/experiment_schema.ts";
import { Card } from "../../parts/card.tsx";
import { Notice } from "../../parts/notice.tsx";
import type { View } from "../../frame/view.ts";
import { Start } from "./experiment_buttons.tsx";
import { matchOf, Remove } from "./experiment_remove.tsx";
import { Variants } from "./experiment_variants.tsx";

/** An experiment that has not started. Its variants are changed where its form is. */
export function Draft({ view, id, experiment, draft }: {
  view: View;
  id: DraftedId;
  experiment: Experiment;
  draft: FormDraft | undefined;
}): VNode {
  const match = matchOf(id);
  const problem = startProblem(view.app.settings.current(), id, experiment);
  return (
    <>
      <Variants view={view} id={id} variants={experiment.variants} />
      <Card
        title="Start"
        lead="While the experiment is running, its variants cannot be changed, because their counts would mix."
      >
        {problem && <Notice kind="warn">It can’t start yet. {problem}</Notice>}
        <div class="buttons">
          <Start view={view} id={id} match={match} draft={draft} />
          <Remove view={view} match={match} />
        </div>
      </Card>
    </>
  );
}
