import { Fragment, type VNode } from "preact";
import { delayOf } from "../../../forms/experiments/opening.ts";
import { POPUP, tabOfForm } from "../../../settings/forms/all_forms.ts";
import { type Experiment, MAX_VARIANTS, type Variant } from "../../../settings/schema/experiment_schema.ts";
import type { DraftedId } from "../../../settings/forms/form_drafts.ts";
import { settingsOfForm } from "../../../settings/forms/form_settings.ts";
import { type MemberName, membersIn, memberTitle } from "../../../settings/schema/form_members.ts";
import { Card } from "../../parts/card.tsx";
import { Confirm } from "../../parts/confirm.tsx";
import { NumberField, SelectField, SwitchField, TextField } from "../../parts/field.tsx";
import { PostForm, SaveBar } from "../../parts/form.tsx";
import type { View } from "../../frame/view.ts";
import { matchOf, Remove } from "./experiment_remove.tsx";
import { PRESETS } from "../../../../shared/design/tokens.ts";
import { PRESET_LABELS } from "../design/design_texts.ts";
import { MemberInput, memberOf } from "../fields/member_input.tsx";
import { knownLanguageOf, Languages } from "../languages.tsx";
import { ShownElsewhere } from "../fields/shown_elsewhere.tsx";
import { VariantImages } from "./variant_images.tsx";
import { VariantTexts, variantTextsId } from "./variant_texts.tsx";

const AS_THE_FORM = { value: "", label: "As the form" };

/** An experiment that has not started: its variants can be changed. */
export function Draft(
  { view, id, experiment }: { view: View; id: DraftedId; experiment: Experiment },
): VNode {
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
        tab={tabOfForm(id.name)}
        partOf={id.name === POPUP ? "experiment" : "forms"}
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
  { view, id, variant, index }: { view: View; id: DraftedId; variant: Variant; index: number },
): VNode {
  const at = `fields.variants.${index}`;
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
            {membersIn("variant").map((name) => (
              <Fragment key={name}>
                <VariantMember view={view} id={id} name={name} at={`${at}.overrides`} />
                {memberOf(name).in.translation && (
                  <ShownElsewhere
                    view={view}
                    id={{ ...id, variant: variant.id }}
                    name={name}
                    fieldIn={variantTextsId(variant)}
                  />
                )}
              </Fragment>
            ))}
          </>
        )}
    </Card>
  );
}

interface VariantMemberProps {
  view: View;
  id: DraftedId;
  at: string;
}

/** The inputs for members of a variant that are more than a value in place of the form's. */
const EDITORS: Partial<Record<MemberName, (props: VariantMemberProps) => VNode | null>> = {
  design: VariantDesign,
  successUrl: VariantNextPage,
  delaySeconds: VariantDelay,
};

/** The input for what a variant has in place of a value of its form. */
function VariantMember({ name, ...props }: VariantMemberProps & { name: MemberName }): VNode {
  const Editor = EDITORS[name];
  return Editor ? <Editor {...props} /> : <Override {...props} name={name} />;
}

function Override({ view, id, at, name }: VariantMemberProps & { name: MemberName }): VNode {
  const { texts, ...values } = settingsOfForm(view.app.settings.current(), id, ["en"]);
  const shown = { ...texts, ...values }[name as keyof typeof values];
  const placeholder = String(shown || memberOf(name).placeholder || "");
  return (
    <MemberInput
      name={name}
      path={`${at}.${name}`}
      label={memberTitle(memberOf(name))}
      help={memberOf(name).helpIn?.variant}
      none={AS_THE_FORM.label}
      {...placeholder && { placeholder }}
    />
  );
}

function VariantDesign({ at }: VariantMemberProps): VNode {
  return (
    <>
      <SelectField
        path={`${at}.design.preset`}
        label="Design"
        options={[AS_THE_FORM, ...PRESETS.map((value) => ({ value, label: PRESET_LABELS[value] }))]}
      />
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
    </>
  );
}

function VariantNextPage(props: VariantMemberProps): VNode {
  const { successUrl } = settingsOfForm(props.view.app.settings.current(), props.id, ["en"]);
  return (
    <>
      <Override {...props} name="successUrl" />
      {successUrl !== "" && (
        <SwitchField
          path={`${props.at}.showsMessage`}
          label="Show the message in place of a next page"
        />
      )}
    </>
  );
}

function VariantDelay({ view, id, at }: VariantMemberProps): VNode | null {
  const delay = delayOf(view.app.settings.current(), id);
  if (delay === undefined) return null;
  return (
    <MemberInput
      name="delaySeconds"
      path={`${at}.delaySeconds`}
      help={`Leave empty to open after ${delay} seconds, like the form. Its other triggers stay. If variants open at different times, signups through all forms count.`}
    />
  );
}
