import type { VNode } from "preact";
import { originalLocaleOf, readyTextsOf } from "../../forms/ready/texts_of_form.ts";
import { formOf, formQuery } from "../../settings/forms/all_forms.ts";
import type { DraftedId, FormDraft } from "../../settings/forms/form_drafts.ts";
import { textsByLocale } from "../../settings/forms/drafted_form.ts";
import { knownLocales } from "../../settings/forms/form_settings.ts";
import { FORM_MEMBERS } from "../../settings/schema/form_members.ts";
import type { View } from "../frame/view.ts";
import { Question } from "../parts/confirm.tsx";
import { SelectField } from "../parts/field.tsx";
import { PostForm } from "../parts/form.tsx";
import { byLanguageName, languageName } from "../../platform/words/language_name.ts";
import { SeenDraft } from "./draft_state.tsx";
import { gapsText, type LanguageGaps, languageGaps, NO_GAPS } from "./language_gaps.ts";

const ACTION = "cfbe_choose_form_languages";

/** ID of the dialog that chooses the languages of a form. */
const FORM_LANGUAGES = "form-languages";

const mayChoose = (view: View): boolean =>
  view.mayRun(ACTION) && view.app.settings.fixedBy("form.locales") === undefined;

const ownTexts = (view: View, id: DraftedId) => textsByLocale(view.app.settings.current().form, id);

/** Returns the languages in which a form has texts, or can have those of the ready form that it is. */
function offeredLanguages(view: View, id: DraftedId): string[] {
  const ready = readyTextsOf(formOf(view.app.settings.current(), id.name) ?? {});
  return byLanguageName(new Set([...Object.keys(ownTexts(view, id)), ...Object.keys(ready)]));
}

/** Returns whether the page of a form has the dialog that chooses its languages, or leads to it from one of them. */
export const hasFormLanguages = (view: View, id: DraftedId): boolean =>
  mayChoose(view) && offeredLanguages(view, id).length > 0;

/**
 * Opens the dialog that chooses the languages of a form.
 *
 * @param page URL of the page with the dialog: empty on that page
 */
export const ChooseLanguages = ({ page = "" }: { page?: string }): VNode =>
  page === ""
    ? <button type="button" class="quiet" popovertarget={FORM_LANGUAGES}>Languages of this form</button>
    : <a href={`${page}#${FORM_LANGUAGES}`}>Languages of this form</a>;

interface Props {
  view: View;
  id: DraftedId;
  draft: FormDraft | undefined;
}

/** The dialog that chooses in which languages a form has texts of its own, all at once. */
export function FormLanguages({ view, id, draft }: Props): VNode {
  const own = ownTexts(view, id);
  const settings = view.app.settings.current();
  const form = formOf(settings, id.name) ?? {};
  const { language = originalLocaleOf(form) } = form as { language?: string };
  return (
    <dialog id={FORM_LANGUAGES} popover="auto" aria-labelledby={`${FORM_LANGUAGES}-title`}>
      <Question
        view={view}
        id={FORM_LANGUAGES}
        title="Languages of this form"
        action={ACTION}
        match={formQuery(id.name)}
        current={{ others: language }}
        yes="Use these languages"
        danger={false}
        focus={false}
      >
        <p>Visitors with a language that you choose here see the form’s texts in it.</p>
        <LanguageChoices
          legend="With texts of its own"
          locales={offeredLanguages(view, id)}
          isChosen={(locale) => locale in own}
          gaps={(locale) => languageGaps(settings, id, locale)}
        />
        <OtherLanguages view={view} path="others" label="All other visitors see" />
        <p class="help">
          A language that you leave out loses this form’s texts; Undo brings them back. To add another
          language, select it above the form and enter a text.
        </p>
        <ToDraft view={view} draft={draft} />
      </Question>
    </dialog>
  );
}

/** A checkbox for each language. */
export function LanguageChoices({ legend, locales, isChosen, gaps = () => NO_GAPS }: {
  legend: string;
  locales: readonly string[];
  isChosen(locale: string): boolean;
  /** Returns what is to do in a chosen language. */
  gaps?(locale: string): LanguageGaps;
}): VNode {
  return (
    <fieldset class="language-choices">
      <legend>{legend}</legend>
      <div class="buttons" data-needs-script="" hidden>
        <button type="button" class="quiet" data-choose-languages="">Choose none</button>
        <button type="button" class="quiet" data-choose-languages="all">Choose all</button>
      </div>
      {locales.map((locale) => {
        const isOn = isChosen(locale);
        const toDo = isOn ? gapsText(gaps(locale)) : "";
        return (
          <label key={locale}>
            <input type="hidden" name={`b:languages.${locale}`} value="false" />
            <input type="checkbox" name={`b:languages.${locale}`} value="true" checked={isOn} />
            <span>
              {languageName(locale)} <small data-follows={`gaps-${locale}`}>{toDo}</small>
            </span>
          </label>
        );
      })}
    </fieldset>
  );
}

/** Chooses what visitors see for whose language a form has no texts. */
export function OtherLanguages(
  { view, path, label = FORM_MEMBERS.language.label }: { view: View; path: string; label?: string },
): VNode {
  const whole = knownLocales(view.app.settings.current())
    .map((locale) => ({ value: locale, label: `The whole form in ${languageName(locale)}` }))
    .sort((one, other) => one.label.localeCompare(other.label, "en"));
  return (
    <SelectField
      path={path}
      label={label}
      optional
      options={[{ value: "", label: "The original texts, with labels in their language" }, ...whole]}
      help="The original texts are those under “All languages”. Labels, such as “Email address”, are built in."
    />
  );
}

/** What undo and redo bring the texts of earlier languages back with. */
export function LanguagesRestoration({ view, id, draft }: Props): VNode | null {
  if (!mayChoose(view)) return null;
  return (
    <div hidden data-own-texts={JSON.stringify(ownTexts(view, id))}>
      <PostForm view={view} action={ACTION} match={formQuery(id.name)} id="restore-form-languages">
        <ToDraft view={view} draft={draft} />
        <span data-values="" />
      </PostForm>
    </div>
  );
}

const ToDraft = ({ view, draft }: Omit<Props, "id">): VNode => (
  <>
    <SeenDraft view={view} draft={draft} />
    <input type="hidden" name="b:draft" value="true" />
  </>
);
