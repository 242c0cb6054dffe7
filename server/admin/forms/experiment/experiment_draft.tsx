import { Fragment, type VNode } from "preact";
import { delayOf } from "../../../forms/experiments/opening.ts";
import { type Experiment, MAX_VARIANTS, type Variant } from "../../../settings/schema/experiment_schema.ts";
import { type FormId, settingsOfForm } from "../../../settings/forms/form_settings.ts";
import { FORM_TEXTS } from "../../../settings/schema/form_texts.ts";
import { Card } from "../../parts/card.tsx";
import { Confirm } from "../../parts/confirm.tsx";
import { NumberField, SelectField, SwitchField, TextField } from "../../parts/field.tsx";
import { PostForm, SaveBar } from "../../parts/form.tsx";
import type { View } from "../../frame/view.ts";
import { matchOf, Remove } from "./experiment_remove.tsx";
import { PRESETS } from "../../../../shared/design/tokens.ts";
import { PRESET_LABELS } from "../design/design_texts.ts";
import { NAME_OPTIONS } from "../fields/field_options.ts";
import { knownLanguageOf, Languages } from "../languages.tsx";
import { ShownElsewhere } from "../opens/shown_elsewhere.tsx";
import { NEXT_PAGE } from "../after_signup.tsx";
import { textLabel } from "../fields/text_fields.tsx";
import { VariantImages } from "./variant_images.tsx";
import { VariantTexts, variantTextsId } from "./variant_texts.tsx";

const AS_THE_FORM = { value: "", label: "As the form" };

/** An experiment that has not started: its variants can be changed. */
export function Draft({ view, id, experiment }: { view: View; id: FormId; experiment: Experiment }): VNode {
  const match = matchOf(id);
  const { variants } = experiment;
  const action = "cfbe_edit_experiment";
  const locale = knownLanguageOf(view);
  const hasTexts = (each: string) => variants.some(({ overrides: { locales = {} } }) => each in locales);
  const languages = <Languages view={view} query={match} changed={hasTexts} variants />;
  if (locale !== "") {
    return (
      <>
        {languages}
        <VariantTexts view={view} id={id} experiment={experiment} locale={locale} />
      </>
    );
  }
  return (
    <>
      {languages}
      <PostForm
        view={view}
        action={action}
        tab={id.name === undefined ? "popup" : "forms"}
        partOf={id.name === undefined ? "experiment" : "forms"}
        match={match}
        current={{ fields: { variants: variants.map(entered) } }}
        class="form settings"
      >
        {variants.map((variant, index) => (
          <VariantFields key={variant.id} view={view} id={id} variant={variant} index={index} />
        ))}
        {view.mayRun(action) && <SaveBar />}
      </PostForm>
      <VariantImages view={view} id={id} experiment={experiment} />
      <VariantButtons view={view} variants={variants} match={match} />
      <Card
        title="Start"
        lead="Save your changes first. While the experiment is running, its variants cannot be changed, because their counts would mix."
      >
        <div class="buttons">
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
            Visitors see the variants within a minute, in proportion to their weights.
          </Confirm>
          <Remove view={view} match={match} />
        </div>
      </Card>
    </>
  );
}

/** Returns a variant as its fields show it. */
function entered({ overrides, ...variant }: Variant) {
  return { ...variant, overrides: { ...overrides, showsMessage: overrides.successUrl === "" } };
}

/** Adds and removes variants. */
function VariantButtons(
  { view, variants, match }: {
    view: View;
    variants: readonly Variant[];
    match: Record<string, string>;
  },
): VNode | null {
  if (!view.mayRun("cfbe_add_variant")) return null;
  return (
    <Card title="Variants" lead={`An experiment has 2 to ${MAX_VARIANTS} variants.`}>
      <div class="buttons">
        {variants.length < MAX_VARIANTS && (
          <PostForm view={view} action="cfbe_add_variant" match={match}>
            <div class="buttons">
              <button type="submit">Add variant</button>
            </div>
          </PostForm>
        )}
        {variants.length > 2 && variants.slice(1).map(({ id: variant, name }) => (
          <Confirm
            key={variant}
            view={view}
            id={`remove-${variant}`}
            button={`Remove “${name}”`}
            title={`Remove “${name}”?`}
            action="cfbe_remove_variant"
            match={{ ...match, variant }}
            yes="Remove variant"
          >
            Removes its texts in all languages. The form stays as it is.
          </Confirm>
        ))}
      </div>
    </Card>
  );
}

function VariantFields(
  { view, id, variant, index }: { view: View; id: FormId; variant: Variant; index: number },
): VNode {
  const at = `fields.variants.${index}`;
  const { texts } = settingsOfForm(view.app.settings.current(), id, ["en"]);
  return (
    <Card
      title={variant.name}
      lead={index === 0 ? "The other variants are compared with this one." : undefined}
    >
      <TextField path={`${at}.name`} label="Name" maxLength={60} help="Only you see it." />
      <NumberField
        path={`${at}.weight`}
        label="Weight"
        min={1}
        max={1000}
        help="Visitors in proportion to the other weights. Equal weights decide soonest."
      />
      {variant.hidden
        ? <p class="help">Shows no form. Visitors who open it with a button of yours still get it.</p>
        : (
          <>
            {FORM_TEXTS.map((name) => (
              <Fragment key={name}>
                <TextField
                  path={`${at}.overrides.${name}`}
                  label={textLabel(name)}
                  placeholder={texts[name]}
                  help={name === "heading" ? "Leave a text empty to keep the form’s." : undefined}
                />
                <ShownElsewhere
                  view={view}
                  id={{ ...id, variant: variant.id }}
                  name={name}
                  fieldIn={variantTextsId(variant)}
                />
              </Fragment>
            ))}
            <SelectField
              path={`${at}.overrides.nameField`}
              label="Name field"
              options={[AS_THE_FORM, ...NAME_OPTIONS]}
            />
            <SelectField
              path={`${at}.overrides.design.preset`}
              label="Design"
              options={[
                AS_THE_FORM,
                ...PRESETS.map((value) => ({ value, label: PRESET_LABELS[value] })),
              ]}
            />
            <OtherFields view={view} id={id} at={`${at}.overrides`} />
          </>
        )}
    </Card>
  );
}

/** What a variant can have besides texts, the name field and a preset. */
function OtherFields({ view, id, at }: { view: View; id: FormId; at: string }): VNode {
  const settings = view.app.settings.current();
  const { successUrl } = settingsOfForm(settings, id, ["en"]);
  const delay = delayOf(settings, id);
  return (
    <>
      <TextField
        path={`${at}.design.accent`}
        label="Color of the button"
        placeholder="#2b46d6"
        maxLength={9}
        spellcheck={false}
        autocomplete="off"
        autocapitalize="none"
        help="Also of links and of the focus. Leave empty to keep that of the design."
      />
      <TextField
        path={`${at}.successUrl`}
        label={NEXT_PAGE}
        placeholder={successUrl || "/thanks"}
        autocomplete="off"
        autocapitalize="none"
        spellcheck={false}
        help="Where visitors go after the signup: a URL, or a path on the site with the form. Leave empty to do what the form does."
      />
      {successUrl !== "" && (
        <SwitchField
          path={`${at}.showsMessage`}
          label="Show the message in place of a next page"
        />
      )}
      {delay !== undefined && (
        <NumberField
          path={`${at}.delaySeconds`}
          label="Opens after"
          unit="seconds on the page (0 = off)"
          min={0}
          max={3600}
          help={`Leave empty to open after ${delay} seconds, like the form. Its other triggers stay. If variants open at different times, signups through all forms count.`}
        />
      )}
    </>
  );
}
