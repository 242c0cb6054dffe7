import type { VNode } from "preact";
import type { Interest } from "../../../shared/public_settings.ts";
import { directionOf } from "../../../shared/texts/locales.ts";
import type { Texts } from "../../../shared/texts/texts.ts";
import { formOf, formQuery } from "../../settings/forms/all_forms.ts";
import type { FieldSettings } from "../../settings/schema/field_schema.ts";
import type { MemberName } from "../../settings/schema/form_members.ts";
import { type InheritedMember, translatedTexts } from "../../settings/schema/form_layers.ts";
import { FORM_TEXTS, isFormText } from "../../settings/schema/form_texts.ts";
import type { DraftedId, FormDraft } from "../../settings/forms/form_drafts.ts";
import {
  type FormSettings,
  settingsOfForm,
  translatedFormIn,
  translationIn,
} from "../../settings/forms/form_settings.ts";
import { editOfFormLocale, withEdit } from "../../settings/forms/form_edits.ts";
import { Card } from "../parts/card.tsx";
import { TextField } from "../parts/field.tsx";
import { PostForm } from "../parts/form.tsx";
import type { View } from "../frame/view.ts";
import { languageName } from "../parts/language_name.ts";
import { DraftState } from "./draft_state.tsx";
import { AFTER_SIGNUP_TEXTS, AfterSignup, OTHER_OWN_TEXTS } from "./after_signup.tsx";
import { FieldTextsList, fieldTextsOf } from "./fields/field_texts.tsx";
import { MemberInput, memberOf } from "./fields/member_input.tsx";
import { TRANSLATION_FORM } from "./fields/members.tsx";
import { OtherTexts, TextFields } from "./fields/text_fields.tsx";

/** The texts of a form in one language. */
export function Translation(
  { view, id, locale, draft }: {
    view: View;
    id: DraftedId;
    locale: string;
    draft: FormDraft | undefined;
  },
): VNode {
  const settings = view.app.settings.current();
  const own = translatedFormIn(translationIn(settings.form, locale), id.name);
  const { interests = [], fields = [], countdownAfter } = formOf(settings, id.name) ?? {};
  const untranslated = withEdit(
    settings,
    editOfFormLocale(settings, id, locale, { texts: {} }),
    view.app.settings.providers,
  );
  const instead = { ...settingsOfForm(untranslated ?? settings, id, [locale]), countdownAfter };
  const action = "cfbe_save_form_texts";
  return (
    <PostForm
      view={view}
      action={action}
      tab="form"
      partOf="locales"
      id={TRANSLATION_FORM}
      class="form settings"
      match={{ ...formQuery(id.name), locale }}
      current={{
        ...own,
        interests: translated(interests, own?.interests),
        fields: fieldTextsOf(fields, own?.fields),
      }}
    >
      <LanguageTexts view={view} locale={locale} instead={instead} elements={{ interests, fields }} />
      <DraftState view={view} draft={draft} />
    </PostForm>
  );
}

const TRANSLATED = translatedTexts();

/** The inputs for the texts of a form, or of all forms, in one language. */
export function LanguageTexts(
  { view, locale, instead, elements: { interests, fields }, ofAll = false }: {
    view: View;
    locale: string;
    /** What is shown without a text in this language. */
    instead: FormSettings & { countdownAfter?: string | undefined };
    /** The form's own interests and fields. */
    elements: { interests: readonly Interest[]; fields: readonly FieldSettings[] };
    /** Whether they are the texts of all forms. */
    ofAll?: boolean;
  },
): VNode {
  const dir = directionOf(locale);
  const valueOf = (name: MemberName) => instead[name as InheritedMember];
  const others = [...OTHER_OWN_TEXTS, ...(ofAll ? ["noForm", "formOff"] as const : [])];
  const inputs = (names: readonly (keyof Texts)[], at = "texts") => (
    <TextFields at={at} names={names} instead={instead.texts} dir={dir} />
  );
  return (
    <>
      <Card title={languageName(locale)} lead="Empty fields use the text shown in gray.">
        {inputs(FORM_TEXTS, ofAll ? "texts" : "")}
        {TRANSLATED.filter((name) => !isFormText(name) && valueOf(name) !== undefined).map((name) => (
          <MemberInput
            key={name}
            name={name}
            path={name}
            help={memberOf(name).helpIn?.translation}
            placeholder={String(valueOf(name))}
            dir={dir}
            optional
          />
        ))}
        <InterestLabels interests={interests} dir={dir} />
        <FieldTextsList fields={fields} locale={locale} />
        <OtherTexts at="texts" names={others}>{inputs(others)}</OtherTexts>
      </Card>
      <AfterSignup view={view}>{inputs(AFTER_SIGNUP_TEXTS)}</AfterSignup>
    </>
  );
}

/** Fields for the labels of interests in one language. */
function InterestLabels(
  { interests, dir }: { interests: readonly Interest[]; dir: "ltr" | "rtl" },
): VNode {
  return (
    <>
      {interests.map(({ tag, label }, index) => (
        <div key={tag}>
          <input type="hidden" name={`interests.${index}.tag`} value={tag} />
          <TextField
            path={`interests.${index}.label`}
            label={`Interest: ${label}`}
            optional
            dir={dir}
            placeholder={label}
          />
        </div>
      ))}
    </>
  );
}

/** Returns the translated interests in the order of the untranslated ones. An untranslated one has no label. */
export function translated(
  interests: readonly Interest[],
  translations: readonly Interest[] = [],
): Interest[] {
  return interests.map(({ tag }) => translations.find((each) => each.tag === tag) ?? { tag, label: "" });
}
