import type { ComponentChildren, VNode } from "preact";
import { formOf, formQuery, POPUP } from "../../../settings/forms/all_forms.ts";
import { type DraftedId, readFormDraft } from "../../../settings/forms/form_drafts.ts";
import { translatedFormIn, translationIn } from "../../../settings/forms/form_settings.ts";
import { experimentOf } from "../../../forms/experiments/running.ts";
import { variantOf } from "../../../settings/forms/variant_edits.ts";
import type { Experiment, Variant } from "../../../settings/schema/experiment_schema.ts";
import type { Settings } from "../../../settings/schema/schema.ts";
import type { View } from "../../frame/view.ts";
import { Empty } from "../../parts/card.tsx";
import { PostForm } from "../../parts/form.tsx";
import { formPath } from "../../parts/form_path.ts";
import { LivePreview } from "../../parts/preview.tsx";
import { DesignImage } from "../design/design_image.tsx";
import { FillInCode } from "../after_signup.tsx";
import { DraftState, seenVersion } from "../draft_state.tsx";
import { Conflict } from "../drafts/conflict.tsx";
import { editedValues, UnpublishedChanges, withDraft } from "../drafts/draft.tsx";
import { ExperimentCard } from "../experiment/experiment_card.tsx";
import { TRANSLATION_FORM } from "../fields/members.tsx";
import { FormLanguages, hasFormLanguages, LanguagesRestoration } from "../form_languages.tsx";
import { gapsOf, gapsText, languageGaps } from "../language_gaps.ts";
import { knownLanguageOf, languageOf, Languages } from "../languages.tsx";
import { checkForm } from "../opens/form_check.ts";
import { PopupChecks } from "../opens/popup_check_form.tsx";
import { StateLine } from "../status.tsx";
import { EditorBar } from "./bar.tsx";
import { Elements } from "./elements.tsx";
import { PanelCard } from "./panel.tsx";
import { PANELS } from "./panels.tsx";
import type { Step } from "../form_steps.ts";
import { Translation } from "./translation.tsx";
import {
  BesideVariant,
  forVariant,
  mayEditVariant,
  variantForm,
  VariantLanguage,
  VariantSettings,
} from "./variant.tsx";
import { VariantTabs } from "./variant_tabs.tsx";

/** The services that the page of a form needs. */
export const EDITOR_SERVICES = ["kv", "keyring", "activation", "acceptsSignups", "experimentCounts"] as const;

/**
 * The page on which a form, or the popup, is made: the form in the middle, its elements on one side, and the settings of what
 * is selected on the other. Without JavaScript, all settings are below each other.
 */
export async function Editor({ view, id, identity, ways, below }: {
  view: View<(typeof EDITOR_SERVICES)[number]>;
  id: DraftedId;
  /** Its title and ID. */
  identity?: ComponentChildren;
  /** How the form gets on a page. */
  ways: ComponentChildren;
  /** What else there is about the form. */
  below?: ComponentChildren;
}): Promise<VNode> {
  const drawn = variantIn(view, id);
  if (drawn) return await VariantEditor({ view, id, ...drawn });
  const locale = languageOf(view);
  const isPopup = id.name === POPUP;
  const action = isPopup ? "cfbe_save_popup" : "cfbe_edit_form";
  const source = isPopup ? "save_popup" : "edit-form";
  const form = formOf(view.app.settings.current(), id.name)!;
  const draft = await readFormDraft(view.app.kv, id);
  const drafted = withDraft(view, id, draft);
  const shown = drafted.app.settings.current();
  const isTranslated = (each: string) => isTranslatedIn(shown, id, each);
  const gaps = (each: string) => languageGaps(shown, id, each);
  const toDo = locale === "" ? gapsOf(shown, id) : undefined;
  const toDoHere = locale === "" ? "" : gapsText(gaps(locale));
  const hasLanguages = hasFormLanguages(drafted, id);
  const steps = locale === "" ? "" : view.href(formPath(id.name));
  const check = locale === "" ? await checkForm(view, drafted, { ...id, action }) : undefined;
  const edited = locale === "" ? source : TRANSLATION_FORM;
  const maySave = view.mayRun(locale === "" ? action : "cfbe_save_form_texts");
  const changes = (
    <div data-follows="changes">{draft && <UnpublishedChanges view={view} id={id} draft={draft} />}</div>
  );
  return (
    <div class="editor" data-editor={edited} data-step="design">
      <EditorBar
        view={view}
        id={id}
        saved={draft?.at}
        source={edited}
        maySave={maySave}
        publishes
        steps={steps}
      />
      <div class="form-top">
        <div data-follows="state">
          <StateLine view={view} form={form} draft={draft} steps={steps} />
        </div>
        {identity}
      </div>
      {await Conflict({ view, id })}
      {await VariantTabs({ view, id, draft, shown: undefined, locale })}
      <div class="editor-main">
        <Elements view={drafted} id={id} locale={locale} />
        <section class="canvas" id="preview" aria-label="Preview">
          <LivePreview
            view={drafted}
            form={id}
            locale={locale}
            mayEdit={maySave}
            note={
              <span class="help" data-follows="missing">
                {toDoHere && <>{toDoHere}.</>}
                {toDo && <a href={view.href(formPath(id.name, { locale: toDo.first }))}>{toDo.short}</a>}
              </span>
            }
            source={edited}
            language={
              <Languages
                view={drafted}
                query={formQuery(id.name)}
                changed={isTranslated}
                gaps={gaps}
                mayChoose={hasLanguages}
              />
            }
          />
          <PageBehind view={view} />
        </section>
        <div class="panels">
          {locale === "" && (
            <Beside step="design" follows="code">
              <FillInCode view={drafted} id={id} draft={draft} />
            </Beside>
          )}
          {locale === ""
            ? (
              <PostForm
                view={drafted}
                action={action}
                tab={isPopup ? "popup" : "forms"}
                version={seenVersion(view, id)}
                {...!isPopup && { partOf: "forms" }}
                id={source}
                class="form settings"
                match={formQuery(id.name)}
                current={{ fields: editedValues(view, id, form, draft) }}
              >
                {PANELS.map(({ id: panel, step, title, lead, content }) => (
                  <PanelCard
                    key={panel}
                    id={panel}
                    step={step}
                    title={title}
                    lead={lead?.({ view: drafted, id })}
                  >
                    {content({ view: drafted, id })}
                  </PanelCard>
                ))}
                <DraftState view={view} draft={draft} />
              </PostForm>
            )
            : (
              <>
                <Translation view={drafted} id={id} locale={locale} draft={draft} />
                {changes}
              </>
            )}
          {locale === "" && (
            <>
              {hasLanguages && <FormLanguages view={drafted} id={id} draft={draft} />}
              <LanguagesRestoration view={drafted} id={id} draft={draft} />
              <Beside panel="image" step="design">
                <DesignImage view={drafted} id={id} draft={draft} />
              </Beside>
              <Beside step="audience">
                {check && <PopupChecks view={view} name={id.name} check={check} source={source} />}
              </Beside>
              <Beside step="publish">
                {changes}
                {ways}
                <ExperimentCard view={view} id={id} />
                {below}
              </Beside>
            </>
          )}
        </div>
      </div>
    </div>
  );
}

/** Asks for a page of the site to show behind the form. It needs the script that shows the form. */
function PageBehind({ view }: { view: View }): VNode {
  const { origins } = view.app.settings.current().general;
  return (
    <details data-behind="" data-needs-script="" hidden>
      <summary>Your page behind the form</summary>
      <div class="field">
        <label for="page-behind">URL of a page</label>
        <input
          id="page-behind"
          type="url"
          placeholder="https://shop.example/"
          autocomplete="off"
          required
        />
      </div>
      <div class="buttons">
        <button type="button" data-behind-show="">Show page</button>
        <button type="button" class="quiet" data-behind-remove="" hidden>Remove page</button>
      </div>
      <p class="notice warn" data-behind-refused="" hidden>
        This page can't be shown. {origins.length > 0
          ? `Only pages of ${origins.join(", ")} can: only these sites may show your forms.`
          : "Its URL must start with https://."}
      </p>
      <p class="help">
        Only your browser loads it, without its scripts. A page that needs them to show anything, or forbids
        framing, stays empty: remove it then.
      </p>
    </details>
  );
}

/** Returns the variant that the page's URL names, with its experiment. */
function variantIn(view: View, id: DraftedId) {
  const variantId = view.query.get("variant");
  if (variantId === null) return undefined;
  const settings = view.app.settings.current();
  const experiment = experimentOf(settings, id);
  const variant = variantOf(settings, { ...id, variant: variantId });
  return experiment && variant && { experiment, variant };
}

/** Returns whether a form has texts of its own in a language. */
const isTranslatedIn = ({ form }: Settings, { name }: DraftedId, locale: string): boolean =>
  translatedFormIn(translationIn(form, locale), name) !== undefined;

/** The same page for a variant of the form's experiment, over what the form shows. */
async function VariantEditor({ view, id, experiment, variant }: {
  view: View<(typeof EDITOR_SERVICES)[number]>;
  id: DraftedId;
  experiment: Experiment;
  variant: Variant;
}): Promise<VNode> {
  const locale = knownLanguageOf(view);
  const draft = await readFormDraft(view.app.kv, id);
  const isStarted = experiment.state !== "draft";
  const shown = forVariant(withDraft(view, id, isStarted ? undefined : draft), experiment);
  const source = variantForm(locale);
  const form = { ...id, variant: variant.id };
  const hasTexts = (each: string) => each in (variant.overrides.locales ?? {});
  return (
    <div class="editor" data-editor={source} data-step="design">
      <EditorBar
        view={view}
        id={id}
        saved={undefined}
        source={source}
        maySave={mayEditVariant(shown)}
        publishes={false}
        steps={view.href(formPath(id.name))}
      />
      {await Conflict({ view, id: form })}
      {await VariantTabs({ view, id, draft, shown: variant, locale })}
      <div class="editor-main">
        {!variant.hidden && <Elements view={shown} id={id} variant={variant} locale={locale} />}
        <section class="canvas" id="preview" aria-label="Preview">
          {variant.hidden ? <Empty title="These visitors see no form" /> : (
            <>
              <LivePreview
                view={shown}
                form={form}
                locale={locale}
                mayEdit={mayEditVariant(shown)}
                source={source}
                language={
                  <Languages
                    view={shown}
                    query={{ ...formQuery(id.name), variant: variant.id }}
                    changed={hasTexts}
                    ofForm={(each) => isTranslatedIn(shown.app.settings.current(), id, each)}
                  />
                }
              />
              <PageBehind view={view} />
            </>
          )}
        </section>
        <div class="panels">
          {isStarted && (
            <p class="help">
              A variant cannot be changed once its experiment has started, because its counts would mix.
            </p>
          )}
          {locale === ""
            ? (
              <>
                <VariantSettings view={shown} id={id} experiment={experiment} variant={variant} />
                <BesideVariant view={shown} id={id} experiment={experiment} variant={variant} />
              </>
            )
            : <VariantLanguage view={shown} id={id} variant={variant} locale={locale} />}
        </div>
      </div>
    </div>
  );
}

/** What belongs to a step, and is not part of the form that saves the settings. */
function Beside(
  { panel, step, follows, children }: {
    /** Without one, it shows beside all panels of the step. */
    panel?: string;
    step: Step;
    /** What is replaced after a save. */
    follows?: string;
    children: ComponentChildren;
  },
): VNode {
  return <div class="panel" data-panel={panel} data-of-step={step} data-follows={follows}>{children}</div>;
}
