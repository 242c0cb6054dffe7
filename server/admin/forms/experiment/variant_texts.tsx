import type { VNode } from "preact";
import { directionOf } from "../../../../shared/texts/locales.ts";
import { POPUP, tabOfForm } from "../../../settings/forms/all_forms.ts";
import type { Experiment, Variant } from "../../../settings/schema/experiment_schema.ts";
import { variedTextNames } from "../../../settings/schema/form_members.ts";
import type { DraftedId } from "../../../settings/forms/form_drafts.ts";
import { settingsOfForm } from "../../../settings/forms/form_settings.ts";
import { Card } from "../../parts/card.tsx";
import { PostForm, SaveBar } from "../../parts/form.tsx";
import type { View } from "../../frame/view.ts";
import { languageName } from "../../parts/language_name.ts";
import { matchOf } from "./experiment_remove.tsx";
import { MemberInput } from "../fields/member_input.tsx";

/** Returns the ID of the card with the texts of a variant, on the page of each language. */
export const variantTextsId = ({ id }: Pick<Variant, "id">): string => `texts-${id}`;

/** The texts of an experiment's variants in one language. */
export function VariantTexts(
  { view, id, experiment: { variants }, locale }: {
    view: View;
    id: DraftedId;
    experiment: Experiment;
    locale: string;
  },
): VNode {
  const action = "cfbe_edit_variant_texts";
  return (
    <PostForm
      view={view}
      action={action}
      tab={tabOfForm(id.name)}
      partOf={id.name === POPUP ? "experiment" : "forms"}
      id="variant-texts"
      match={{ ...matchOf(id), locale }}
      current={{ fields: { variants } }}
      class="form settings"
    >
      {variants.map((variant, index) => (
        <Card
          key={variant.id}
          id={variantTextsId(variant)}
          title={`${variant.name}: ${languageName(locale)}`}
          lead={variant.hidden ? undefined : "Empty fields use the text shown in gray."}
        >
          {variant.hidden ? <p class="help">Shows no form.</p> : (
            <Inputs
              at={`fields.variants.${index}.overrides.locales.${locale}`}
              instead={insteadOf(view, id, variant, locale)}
              locale={locale}
            />
          )}
        </Card>
      ))}
      {view.mayRun(action) && <SaveBar />}
    </PostForm>
  );
}

function Inputs(
  { at, instead, locale }: { at: string; instead: Record<string, string>; locale: string },
): VNode {
  return (
    <>
      {variedTextNames().map((name) => (
        <MemberInput
          key={name}
          name={name}
          path={`${at}.${name}`}
          placeholder={instead[name] ?? ""}
          dir={directionOf(locale)}
          optional
        />
      ))}
    </>
  );
}

/** Returns what a variant shows in a language without texts of its own in it. */
function insteadOf(
  view: View,
  id: DraftedId,
  { overrides: { locales: _, ...overrides } }: Variant,
  locale: string,
): Record<string, string> {
  const { texts, ...values } = settingsOfForm(view.app.settings.current(), id, [locale]);
  return { ...values, ...texts, ...overrides } as Record<string, unknown> as Record<string, string>;
}
