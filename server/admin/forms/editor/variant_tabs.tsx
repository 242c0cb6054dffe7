import type { VNode } from "preact";
import { ORIGINAL } from "../../../forms/experiments/new_experiment.ts";
import { type ExperimentResults, experimentResults } from "../../../forms/experiments/results.ts";
import { counted } from "../../../platform/words/counted.ts";
import { formOf, POPUP } from "../../../settings/forms/all_forms.ts";
import { isUnpublished } from "../../../settings/forms/drafted_form.ts";
import { type DraftedId, type FormDraft } from "../../../settings/forms/form_drafts.ts";
import { type Experiment, MAX_VARIANTS, type Variant } from "../../../settings/schema/experiment_schema.ts";
import { siteDay } from "../../../settings/schema/time_zone.ts";
import type { View } from "../../frame/view.ts";
import { PostForm } from "../../parts/form.tsx";
import { Notice } from "../../parts/notice.tsx";
import { copyPath, experimentPath, formPath } from "../../parts/form_path.ts";
import { Keep, Start, Stop, STOP_ID } from "../experiment/experiment_buttons.tsx";
import { StateBadge } from "../experiment/experiment_card.tsx";
import { matchOf } from "../experiment/experiment_remove.tsx";
import { isWrong, OutcomeLine } from "../experiment/experiment_results.tsx";
import { differencesOf, shareText } from "../experiment/experiment_variants.tsx";

interface Props {
  view: View<"experimentCounts">;
  id: DraftedId;
  draft: FormDraft | undefined;
  /** The variant that the page shows; undefined for the form itself. */
  shown: Variant | undefined;
  locale: string;
}

/** The form and the variants of its experiment as tabs, with what the experiment has shown and what can be done with it. */
export async function VariantTabs({ view, id, draft, shown, locale }: Props): Promise<VNode> {
  const form = formOf(view.app.settings.current(), id.name)!;
  const { experiment } = form;
  const results = experiment && experiment.state !== "draft" ? await resultsNow(view, experiment) : undefined;
  const language = locale === "" ? {} : { locale };
  const tab = (variant?: Variant) => ({
    href: view.href(formPath(id.name, { ...variant && { variant: variant.id }, ...language })),
    "aria-current": variant?.id === shown?.id ? "page" as const : undefined,
  });
  const original = experiment && originalOf(experiment);
  const isRunning = experiment?.state === "running";
  // The name and the share of the original are on a page of their own.
  const isShown = original !== undefined && original.id === shown?.id;
  return (
    <div class="variants" id="variants" data-follows="variants">
      <div class="variant-bar">
        <nav class="tabs" aria-label="Variants">
          <a {...tab()}>{isShown ? "Form" : original?.name ?? ORIGINAL}</a>
          {experiment && experiment.variants.filter((each) => each !== original || isShown)
            .map((variant) => (
              <a key={variant.id} {...tab(variant)}>
                {variant.name} <small>{whatDiffers(variant)}, {shareText(experiment, variant)}</small>
              </a>
            ))}
        </nav>
        <Buttons view={view} id={id} draft={draft} experiment={experiment} results={results} />
      </div>
      {results && (
        <OutcomeLine results={results} experiment={experiment!}>
          {isRunning && shown && <p>{isUnpublished(form) ? UNSEEN : LOCKED}</p>}
        </OutcomeLine>
      )}
      {isRunning && !shown &&
        (isUnpublished(form) ? <Notice kind="plain">{UNSEEN}</Notice> : <Locked view={view} id={id} />)}
    </div>
  );
}

/** Returns the first variant that shows a form, if that is just the form itself. */
function originalOf({ variants }: Experiment): Variant | undefined {
  const first = variants.find(({ hidden }) => !hidden);
  return first && Object.keys(first.overrides).length === 0 ? first : undefined;
}

function whatDiffers(variant: Variant): string {
  if (variant.hidden) return "no form";
  const { length } = differencesOf(variant);
  return length === 0 ? "no difference" : counted(length, "difference");
}

function Buttons({ view, id, draft, experiment, results }: {
  view: View;
  id: DraftedId;
  draft: FormDraft | undefined;
  experiment: Experiment | undefined;
  /** What it has shown, if it has started. */
  results: ExperimentResults | undefined;
}): VNode | null {
  const match = matchOf(id);
  if (!experiment) {
    return (
      <div class="buttons">
        <AddButton view={view} action="cfbe_create_experiment" match={match} />
      </div>
    );
  }
  const { state, variants, kept } = experiment;
  const winner = results && kept === undefined && !isWrong(results) ? results.decision.winner : undefined;
  return (
    <div class="buttons">
      <StateBadge state={state} />
      {state === "draft" && (
        <>
          {variants.length < MAX_VARIANTS && (
            <AddButton view={view} action="cfbe_add_variant" match={match} />
          )}
          <Start view={view} id={id} match={match} draft={draft} />
        </>
      )}
      {winner !== undefined && (
        <Keep view={view} match={match} variant={variants[winner]!} running={state === "running"} primary />
      )}
      {state === "running" && <Stop view={view} match={match} />}
      <a href={view.href(experimentPath(id.name))}>
        {state === "draft" ? "Experiment" : "All results"}
      </a>
    </div>
  );
}

const LOCKED =
  "While the experiment is running, what visitors see cannot be published, because its counts would mix; you can save " +
  "it as a draft. The list, the tags and the status can be changed at any time.";

const UNSEEN = "The experiment counts from when the form is published. Until then, the form can be changed.";

/** Says what cannot be published while an experiment is running, before somebody tries, and what leads on. */
function Locked({ view, id }: { view: View; id: DraftedId }): VNode {
  const mayStop = view.mayRun("cfbe_stop_experiment");
  const mayCopy = id.name !== POPUP && view.mayRun("cfbe_duplicate_form");
  return (
    <Notice kind="warn">
      <p>{LOCKED}</p>
      <div class="buttons">
        {mayStop && <button type="button" popovertarget={STOP_ID}>Stop the experiment</button>}
        {mayCopy && <a class="button" href={view.href(copyPath(id.name))}>Duplicate the form</a>}
      </div>
    </Notice>
  );
}

function AddButton(
  { view, action, match }: { view: View; action: string; match: Record<string, string> },
): VNode | null {
  if (!view.mayRun(action)) return null;
  return (
    <PostForm view={view} action={action} match={match} id="add-variant" class="plain-form">
      <button type="submit" class="quiet">Add variant</button>
    </PostForm>
  );
}

function resultsNow(view: View<"experimentCounts">, experiment: Experiment): Promise<ExperimentResults> {
  const dayOf = (at: number) => siteDay(view.app.settings.current(), at);
  return experimentResults(view.app.experimentCounts, experiment, view.now, dayOf);
}
