import type { VNode } from "preact";
import { experimentOf } from "../../../forms/experiments/running.ts";
import { formOf } from "../../../settings/forms/all_forms.ts";
import type { DraftedId, FormDraft } from "../../../settings/forms/form_drafts.ts";
import type { Variant } from "../../../settings/schema/experiment_schema.ts";
import { Confirm } from "../../parts/confirm.tsx";
import type { View } from "../../frame/view.ts";
import { variantsShownText } from "../form_state_text.ts";
import { untranslatedTexts } from "./untranslated_texts.ts";

/** What can be done with an experiment. Each button asks first. */
interface Props {
  view: View;
  /** Input that identifies the form. */
  match: Record<string, string>;
}

export function Start(
  { view, id, match, draft }: Props & { id: DraftedId; draft: FormDraft | undefined },
): VNode {
  const settings = view.app.settings.current();
  const form = formOf(settings, id.name)!;
  const { variants } = experimentOf(settings, id)!;
  return (
    <Confirm
      view={view}
      id="start"
      button="Start experiment"
      title="Start the experiment?"
      action="cfbe_start_experiment"
      match={match}
      yes="Start experiment"
      danger={false}
    >
      {variantsShownText(settings, form, view.now)} Each is shown in proportion to its weight.
      {draft && " They show the published form, without its unpublished changes."}
      <div data-follows="untranslated">
        {variants.flatMap((variant) => untranslatedTexts(settings, id, variant)).map((text) => (
          <p key={text}>{text}</p>
        ))}
      </div>
    </Confirm>
  );
}

/** The ID of the dialog that asks whether to stop. */
export const STOP_ID = "stop";

export function Stop({ view, match }: Props): VNode {
  return (
    <Confirm
      view={view}
      id={STOP_ID}
      button="Stop"
      title="Stop the experiment?"
      action="cfbe_stop_experiment"
      match={match}
      yes="Stop experiment"
    >
      All visitors see the original form. Confirmations of earlier signups are still counted. The experiment
      cannot be continued, only started again from zero.
    </Confirm>
  );
}

export function Keep({ view, match, variant, running, primary }: Props & {
  variant: Variant;
  running: boolean;
  /** Whether it is the variant to keep, as far as that is known. */
  primary: boolean;
}): VNode {
  return (
    <Confirm
      view={view}
      id={`keep-${variant.id}`}
      button={`Keep “${variant.name}”`}
      title={`Show “${variant.name}” to all visitors?`}
      action="cfbe_keep_variant"
      match={{ ...match, variant: variant.id }}
      yes={`Keep “${variant.name}”`}
      danger={false}
      primary={primary}
    >
      {keptText(variant)}
      {running && "The experiment ends. "}The results are kept.
    </Confirm>
  );
}

/** Returns what happens to a form when a variant is kept. */
function keptText({ hidden, overrides }: Variant): string {
  if (hidden) return "The form no longer opens by itself. ";
  return Object.keys(overrides).length === 0
    ? "The form stays as it is. "
    : "What it shows in place of the form’s values becomes the form’s own, in every language. ";
}
