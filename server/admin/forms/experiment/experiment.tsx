import type { VNode } from "preact";
import { experimentResults } from "../../../forms/experiments/results.ts";
import { opensByItself } from "../../../forms/experiments/opening.ts";
import { formOf, type SiteForm } from "../../../settings/forms/all_forms.ts";
import { siteDay } from "../../../settings/schema/time_zone.ts";
import { experimentOf } from "../../../forms/experiments/running.ts";
import type { Experiment } from "../../../settings/schema/experiment_schema.ts";
import { type DraftedId, readFormDraft } from "../../../settings/forms/form_drafts.ts";
import { experimentPath } from "../../parts/form_path.ts";
import { formOfQuery } from "../actions/experiment_change.ts";
import { definePage } from "../../frame/page.ts";
import { Card } from "../../parts/card.tsx";
import { Confirm } from "../../parts/confirm.tsx";
import { PostForm } from "../../parts/form.tsx";
import type { View } from "../../frame/view.ts";
import { variantsShownText } from "../form_state_text.ts";
import { NoSuchForm, nounOf, ToForm } from "../form_frame.tsx";
import { Keep, Stop } from "./experiment_buttons.tsx";
import { Draft } from "./experiment_draft.tsx";
import { matchOf, Remove } from "./experiment_remove.tsx";
import { Differences, isWrong, Summary } from "./experiment_results.tsx";
import { ShownVersion } from "./experiment_version.tsx";
import { Variants } from "./experiment_variants.tsx";

const idOf = ({ query }: View) => formOfQuery(query);
const titleOf = (view: View) => `Experiment: ${nounOf(view, idOf(view))}`;

export const experimentPage = definePage({
  path: "/experiment",
  title: "Experiment",
  heading: titleOf,
  documentTitle: titleOf,
  lead:
    "Shows variants of a form to different visitors, and finds out which one gets more confirmed signups.",
  parent: "/forms",
  capability: "view",
  services: ["kv", "experimentCounts"],
  async render(view) {
    const id = idOf(view);
    const settings = view.app.settings.current();
    const form = formOf(settings, id.name);
    if (!form) {
      return <NoSuchForm view={view} />;
    }
    const experiment = experimentOf(settings, id);
    const draft = await readFormDraft(view.app.kv, id);
    return (
      <>
        <p class="back">
          <ToForm view={view} id={id} />
        </p>
        {experiment && experiment.kept === undefined && (
          <ShownVersion
            view={view}
            id={id}
            form={form}
            draft={draft}
            state={experiment.state}
          />
        )}
        {experiment
          ? experiment.state === "draft"
            ? <Draft view={view} id={id} experiment={experiment} draft={draft} />
            : await started(view, form, id, experiment)
          : <Create view={view} id={id} />}
        <HowItWorks />
      </>
    );
  },
});

/** @param former whether the results of an experiment that is over are removed */
function Create({ view, id, former = false }: { view: View; id: DraftedId; former?: boolean }): VNode {
  const canShowNone = opensByItself(view.app.settings.current(), id);
  return (
    <Card
      title={former ? "Create another experiment" : "Create an experiment"}
      lead="Creates a draft. Visitors notice nothing until you start it."
    >
      {canShowNone && (
        <p class="help">
          “Compare with no form” shows nothing to half of your visitors, and counts their signups through
          other forms. It answers whether the form helps at all.
        </p>
      )}
      <div class="buttons">
        <CreateButton view={view} id={id} former={former} label="Compare variants" />
        {canShowNone && (
          <CreateButton view={view} id={id} former={former} label="Compare with no form" control />
        )}
      </div>
    </Card>
  );
}

function CreateButton({ view, id, former, label, control = false }: {
  view: View;
  id: DraftedId;
  former: boolean;
  label: string;
  control?: boolean;
}): VNode {
  const button = {
    view,
    id: control ? "create-control" : "create-variants",
    action: "cfbe_create_experiment",
    match: { ...matchOf(id), ...(control && { "b:control": "true" }) },
  };
  return former
    ? (
      <Confirm {...button} button={label} title="Replace the results?" yes="Create a draft" danger={false}>
        The draft takes the place of the results on this page. Export them as CSV first if you still need
        them.
      </Confirm>
    )
    : (
      <PostForm {...button}>
        <div class="buttons">
          <button type="submit" class={control ? undefined : "primary"}>{label}</button>
        </div>
      </PostForm>
    );
}

/** An experiment that is running or has ended: its results, and what can be done. */
async function started(
  view: View<"experimentCounts">,
  form: SiteForm,
  id: DraftedId,
  experiment: Experiment,
): Promise<VNode> {
  const settings = view.app.settings.current();
  const dayOf = (at: number) => siteDay(settings, at);
  const results = await experimentResults(view.app.experimentCounts, experiment, view.now, dayOf);
  const winner = isWrong(results) ? undefined : results.decision.winner;
  return (
    <>
      <Summary
        results={results}
        experiment={experiment}
        csv={view.href(experimentPath(id.name, "/days.csv"))}
      />
      {experiment.kept === undefined
        ? <End view={view} id={id} form={form} experiment={experiment} winner={winner} />
        : <Kept view={view} id={id} experiment={experiment} />}
      <Variants view={view} id={id} variants={experiment.variants} kept={experiment.kept} />
      <Differences results={results} />
      {experiment.kept !== undefined && <Create view={view} id={id} former />}
    </>
  );
}

/** What can be done with an experiment of which no variant was kept. */
function End(
  { view, id, form, experiment, winner }: {
    view: View;
    id: DraftedId;
    form: SiteForm;
    experiment: Experiment;
    /** Index of the variant to keep, if it is known. */
    winner: number | undefined;
  },
): VNode {
  const running = experiment.state === "running";
  const match = matchOf(id);
  return (
    <Card
      id="end"
      title={running ? "End the experiment" : "The experiment has ended"}
      lead={running
        ? "Keep a variant for all visitors, or go back to the original form."
        : "All visitors see the original form. Keep another variant, or count again from zero."}
    >
      <div class="buttons">
        {experiment.variants.map((variant, index) => (
          <Keep
            key={variant.id}
            view={view}
            match={match}
            variant={variant}
            running={running}
            primary={winner === index}
          />
        ))}
        {running ? <Stop view={view} match={match} /> : (
          <>
            <Confirm
              view={view}
              id="restart"
              button="Start again"
              title="Start the experiment again?"
              action="cfbe_start_experiment"
              match={match}
              yes="Start again"
              danger={false}
            >
              Counts from zero. The results on this page are removed.{" "}
              {variantsShownText(view.app.settings.current(), form, view.now)}
            </Confirm>
            <Remove view={view} match={match} />
          </>
        )}
      </div>
    </Card>
  );
}

/** Says which variant became the form, and removes the results. */
function Kept({ view, id, experiment: { variants, kept } }: {
  view: View;
  id: DraftedId;
  experiment: Experiment;
}): VNode {
  const name = variants.find((variant) => variant.id === kept)?.name ?? kept;
  return (
    <Card
      id="end"
      title={`“${name}” was kept`}
      lead="It became the form that all visitors see. The results stay on this page until you remove or replace them. Confirmations of earlier signups are still counted."
    >
      <div class="buttons">
        <Remove view={view} match={matchOf(id)} />
      </div>
    </Card>
  );
}

function HowItWorks(): VNode {
  return (
    <Card title="How it works">
      <div class="prose">
        <p>
          Each browser session draws one variant and keeps it. No cookie is set, and nothing about the visitor
          is sent. A signup carries the variant in its signed configuration, so that it counts for the variant
          that was shown.
        </p>
        <p>
          The ranges are always-valid confidence sequences: you may look at them at any time and stop as soon
          as the experiment is decided. Without a difference, at most 5% of experiments find one. Small
          differences need many visitors: to tell 5% from 6%, typically 18,000 for two variants; to tell 5%
          from 10%, 1,000.
        </p>
        <p>
          Stop when it is decided, or when you no longer expect a difference that matters to you. “Not
          decided” does not mean that the variants are equal.
        </p>
      </div>
    </Card>
  );
}
