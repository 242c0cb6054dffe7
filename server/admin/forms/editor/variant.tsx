import type { VNode } from "preact";
import { delayOf } from "../../../forms/experiments/opening.ts";
import { inheritDesign } from "../../../../shared/design/tokens.ts";
import { formOf, formQuery, POPUP, tabOfForm } from "../../../settings/forms/all_forms.ts";
import type { DraftedId } from "../../../settings/forms/form_drafts.ts";
import { settingsOfForm } from "../../../settings/forms/form_settings.ts";
import { variantVersion } from "../../../settings/forms/variant_edits.ts";
import type { Experiment, Variant } from "../../../settings/schema/experiment_schema.ts";
import type { MemberName } from "../../../settings/schema/form_members.ts";
import { isInheritedEmpty } from "../../../settings/schema/form_texts.ts";
import { membersIn } from "../../../settings/schema/form_layers.ts";
import type { View } from "../../frame/view.ts";
import { Card } from "../../parts/card.tsx";
import { Confirm } from "../../parts/confirm.tsx";
import { NumberField, TextField } from "../../parts/field.tsx";
import { PostForm, useForm } from "../../parts/form.tsx";
import { formPath } from "../../parts/form_path.ts";
import { OwnValue } from "../../parts/own_value.tsx";
import { WithCode } from "../../parts/with_code.tsx";
import { Design } from "../design/design.tsx";
import { SeenDraft } from "../draft_state.tsx";
import { differencesOf, shareText } from "../experiment/experiment_variants.tsx";
import { VariantImage } from "../experiment/variant_images.tsx";
import { MemberInput, memberOf } from "../fields/member_input.tsx";
import { Elsewhere, TRANSLATION_FORM } from "../fields/members.tsx";
import { CountdownField } from "../status.tsx";
import { SameInAll } from "./panel.tsx";
import { membersOf, PANELS } from "./panels.tsx";
import { VariantTexts } from "./translation.tsx";

const ACTION = "cfbe_edit_variant";
const IMAGE_ACTIONS = ["cfbe_save_variant_image", "cfbe_remove_variant_image"];

/** The panel about the variant itself. */
export const VARIANT_PANEL = "variant";
/** The panel with the time until a variant opens. */
const OPENS_PANEL = "opens";

interface Props {
  view: View;
  id: DraftedId;
  experiment: Experiment;
  variant: Variant;
}

/** Returns the view for a variant, which nobody can change once its experiment has started. */
export function forVariant<Shown extends View>(view: Shown, { state }: Experiment): Shown {
  if (state === "draft") return view;
  const isChange = (action: string) => action === ACTION || IMAGE_ACTIONS.includes(action);
  return { ...view, mayRun: (action) => !isChange(action) && view.mayRun(action) };
}

/** Returns whether a variant can be changed in a view for it. */
export const mayEditVariant = (view: View): boolean => view.mayRun(ACTION);

/** ID of the form with what a variant has. */
export const variantForm = (locale: string): string => locale === "" ? "edit-variant" : TRANSLATION_FORM;

/** Returns the panels of a variant in which something can differ, each with the members that can. */
export function variedPanels(view: View, id: DraftedId): Map<string, MemberName[]> {
  const names = membersIn("variant");
  const panels = PANELS.filter(({ step }) => step === "design")
    .map((panel): [string, MemberName[]] => [panel.id, membersOf(panel, names)])
    .filter(([, members]) => members.length > 0);
  const delay: [string, MemberName[]][] = delayOf(view.app.settings.current(), id) === undefined
    ? []
    : [[OPENS_PANEL, ["delaySeconds"]]];
  return new Map([...panels, ["image", []], ...delay]);
}

/** Returns the panels in which a variant differs from its form. */
export function differingPanels(view: View, id: DraftedId, { overrides }: Variant): Set<string> {
  const { design: { image, ...look } = {}, locales = {}, ...values } = overrides;
  const names = new Set([
    ...Object.keys(values),
    ...Object.values(locales).flatMap(Object.keys),
    ...(Object.keys(look).length > 0 ? ["design"] : []),
  ]);
  const panels = [...variedPanels(view, id)].filter(([, members]) => members.some((name) => names.has(name)));
  return new Set([...panels.map(([panel]) => panel), ...(image === undefined ? [] : ["image"])]);
}

/** The settings of a variant: what it has in place of the form's values. */
export function VariantSettings({ view, id, experiment, variant }: Props): VNode {
  const { overrides, name, weight } = variant;
  return (
    <VariantForm view={view} id={id} variant={variant} current={{ name, weight, fields: overrides }}>
      <VariantPanel panel={VARIANT_PANEL} title="Variant" isFirst>
        <About experiment={experiment} variant={variant} />
      </VariantPanel>
      {!variant.hidden && <Varied view={view} id={id} variant={variant} />}
    </VariantForm>
  );
}

/** The texts of a variant in one language. */
export function VariantLanguage(
  { view, id, variant, locale }: Omit<Props, "experiment"> & { locale: string },
): VNode {
  if (variant.hidden) return <p class="help">Shows no form.</p>;
  return (
    <VariantForm
      view={view}
      id={id}
      variant={variant}
      locale={locale}
      current={{ fields: variant.overrides.locales?.[locale] }}
    >
      <VariantTexts view={view} id={id} variant={variant} locale={locale} />
    </VariantForm>
  );
}

function VariantForm({ view, id, variant, locale, current, children }: {
  view: View;
  id: DraftedId;
  variant: Variant;
  locale?: string;
  current: Record<string, unknown>;
  children: (VNode | false)[] | VNode;
}): VNode {
  return (
    <PostForm
      view={view}
      action={ACTION}
      tab={tabOfForm(id.name)}
      partOf={id.name === POPUP ? "experiment" : "forms"}
      id={variantForm(locale ?? "")}
      class="form settings"
      match={{ ...formQuery(id.name), variant: variant.id, ...(locale !== undefined && { locale }) }}
      current={current}
    >
      {children}
      <VariantState view={view} variant={variant} />
    </PostForm>
  ) as VNode;
}

function VariantState({ view, variant }: { view: View; variant: Variant }): VNode {
  const { isSent } = useForm();
  return (
    <>
      <SeenDraft view={view} draft={{ version: variantVersion(variant) }} />
      <span data-unsaved hidden={!isSent} class="hidden">Unsaved changes</span>
    </>
  );
}

function VariantPanel({ panel, title, lead, isFirst, children }: {
  panel: string;
  title: string;
  lead?: VNode | string;
  isFirst?: true;
  children: VNode | VNode[];
}): VNode {
  return (
    <div class="panel" data-panel={panel} data-of-step="design" data-shown={isFirst && ""}>
      <Card id={panel} title={title} lead={lead}>{children}</Card>
    </div>
  );
}

function About({ experiment, variant }: Pick<Props, "experiment" | "variant">): VNode {
  const isBase = experiment.variants[0]!.id === variant.id;
  return (
    <>
      <TextField path="name" label="Variant name" maxLength={60} help="Only you see it." />
      <NumberField
        path="weight"
        label="Weight"
        min={1}
        max={1000}
        help="Visitors in proportion to the other weights. Equal weights decide soonest."
      />
      <div data-follows="differences">
        <p>{shareText(experiment, variant)} of the visitors.</p>
        {variant.hidden
          ? <p class="help">Shows no form. Visitors who open it with a button of yours still get it.</p>
          : <DifferenceList variant={variant} />}
      </div>
      <p class="help">
        {isBase
          ? "The other variants are compared with this one."
          : "Gray values are the form’s. Type over them to change them here. What an element marked “same” has is the form’s in all variants."}
      </p>
    </>
  );
}

function DifferenceList({ variant }: { variant: Variant }): VNode {
  const lines = differencesOf(variant);
  if (lines.length === 0) return <p>Shows the form unchanged, so far.</p>;
  return (
    <>
      <h3>Differs from the form in</h3>
      <ul>{lines.map(([label, value]) => <li key={label}>{label}: {value}</li>)}</ul>
    </>
  );
}

function Varied({ view, id, variant }: Omit<Props, "experiment">): VNode {
  const varied = variedPanels(view, id);
  const original = view.href(formPath(id.name));
  return (
    <>
      {PANELS.filter(({ step }) => step === "design").map(({ id: panel, title }) => {
        const members = varied.get(panel);
        return members
          ? (
            <VariantPanel key={panel} panel={panel} title={title}>
              {members.map((name) => (
                <VariantMember key={name} view={view} id={id} variant={variant} name={name} />
              ))}
            </VariantPanel>
          )
          : (
            <SameInAll
              key={panel}
              id={panel}
              title={title}
              href={`${original}#${panel}`}
              change="Change it in the form"
            >
              The same in all variants, so that the result says what made the difference.
            </SameInAll>
          );
      })}
      {varied.has(OPENS_PANEL) && (
        <VariantPanel panel={OPENS_PANEL} title="Opens after">
          <VariantMember view={view} id={id} variant={variant} name="delaySeconds" />
        </VariantPanel>
      )}
    </>
  );
}

function VariantMember(
  { view, id, variant, name }: Omit<Props, "experiment"> & { name: MemberName },
): VNode {
  const settings = view.app.settings.current();
  if (name === "design") {
    return (
      <Design inherited={inheritDesign(settings.form.design, formOf(settings, id.name)?.design ?? {})} />
    );
  }
  const { help: general, helpIn, label, choices, without } = memberOf(name);
  const help = helpIn?.variant ?? helpIn?.own ?? general;
  const path = `fields.${name}`;
  const none = choices && without;
  return (
    <>
      <OwnValue path={path} label={label} inherited={formValue(view, id, name)} from="form">
        {name === "countdown" ? <CountdownField view={view} path={path} hasEmpty /> : (
          <MemberInput
            name={name}
            path={path}
            help={name === "delaySeconds" ? DELAY_HELP : help && <WithCode text={help} />}
            {...none !== undefined && { none, optional: true }}
            {...isInheritedEmpty(name) && { placeholder: String(formValue(view, id, name)) }}
          />
        )}
      </OwnValue>
      {memberOf(name).in.translation && (
        <Elsewhere view={view} id={{ ...id, variant: variant.id }} name={name} at="fields-" />
      )}
    </>
  );
}

const DELAY_HELP =
  "The other triggers of the form stay. If variants open at different times, signups through all forms count.";

/** Returns the value of a form that its variants begin with. */
function formValue(view: View, id: DraftedId, name: MemberName): unknown {
  const settings = view.app.settings.current();
  if (name === "delaySeconds") return delayOf(settings, id);
  const { texts, ...values } = settingsOfForm(settings, id, ["en"]);
  return ({ ...formOf(settings, id.name), ...values, ...texts } as Record<string, unknown>)[name];
}

/** What belongs to a variant, and is not part of the form that saves its settings. */
export function BesideVariant({ view, id, experiment, variant }: Props): VNode {
  const { variants } = experiment;
  const mayRemove = experiment.state === "draft" && variants.length > 2 && variants[0]!.id !== variant.id;
  return (
    <>
      {!variant.hidden && (
        <div class="panel" data-panel="image" data-of-step="design">
          <VariantImage view={view} id={id} variant={variant} />
        </div>
      )}
      {mayRemove && view.mayRun("cfbe_remove_variant") && (
        <div class="panel" data-panel={VARIANT_PANEL} data-of-step="design" data-shown="">
          <Card title="Remove this variant">
            <div class="buttons">
              <Confirm
                view={view}
                id="remove-variant"
                button={`Remove “${variant.name}”`}
                title={`Remove “${variant.name}”?`}
                action="cfbe_remove_variant"
                match={{ ...formQuery(id.name), variant: variant.id }}
                yes="Remove variant"
              >
                Removes its texts in all languages. The form stays as it is.
              </Confirm>
            </div>
          </Card>
        </div>
      )}
    </>
  );
}
