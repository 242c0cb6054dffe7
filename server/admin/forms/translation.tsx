import type { VNode } from "preact";
import type { Interest } from "../../../shared/public_settings.ts";
import { directionOf } from "../../../shared/texts/locales.ts";
import type { Texts } from "../../../shared/texts/texts.ts";
import type { FieldSettings } from "../../settings/schema/field_schema.ts";
import type { MemberName } from "../../settings/schema/form_members.ts";
import { type InheritedMember, translatedTexts } from "../../settings/schema/form_layers.ts";
import { FORM_TEXTS, isFormText } from "../../settings/schema/form_texts.ts";
import type { FormSettings } from "../../settings/forms/form_settings.ts";
import { Card } from "../parts/card.tsx";
import { TextField } from "../parts/field.tsx";
import { OrInherited } from "../parts/or_inherited.tsx";
import type { View } from "../frame/view.ts";
import { languageName } from "../../platform/words/language_name.ts";
import { AFTER_SIGNUP_TEXTS, AfterSignup, OTHER_OWN_TEXTS } from "./after_signup.tsx";
import { FieldTextsList } from "./fields/field_texts.tsx";
import { MemberInput, memberOf } from "./fields/member_input.tsx";
import { OtherTexts, TextFields } from "./fields/text_fields.tsx";

const TRANSLATED = translatedTexts();

/** The inputs for the texts of all forms in one language. */
export function LanguageTexts(
  { view, locale, instead, elements: { interests, fields } }: {
    view: View;
    locale: string;
    /** What is shown without a text in this language. */
    instead: FormSettings;
    /** The interests and fields that they have. */
    elements: { interests: readonly Interest[]; fields: readonly FieldSettings[] };
  },
): VNode {
  const dir = directionOf(locale);
  const valueOf = (name: MemberName) => instead[name as InheritedMember];
  const others = [...OTHER_OWN_TEXTS, "noForm", "formOff"] as const;
  const inputs = (names: readonly (keyof Texts)[]) => (
    <TextFields at="texts" names={names} instead={instead.texts} dir={dir} />
  );
  return (
    <>
      <Card title={languageName(locale)} lead="Empty fields use the text shown in gray.">
        {inputs(FORM_TEXTS)}
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
        <InterestLabels interests={interests} instead={instead.interests} dir={dir} />
        <FieldTextsList fields={fields} instead={instead.fields} dir={dir} />
        <OtherTexts at="texts" names={others}>{inputs(others)}</OtherTexts>
      </Card>
      <AfterSignup view={view}>{inputs(AFTER_SIGNUP_TEXTS)}</AfterSignup>
    </>
  );
}

/** Fields for the labels of interests in one language. */
export function InterestLabels(
  { interests, instead, dir }: {
    interests: readonly Interest[];
    /** What is shown without labels in this language. */
    instead: readonly Interest[];
    dir: "ltr" | "rtl";
  },
): VNode {
  return (
    <>
      {interests.map(({ tag, label }, index) => (
        <div key={tag}>
          <input type="hidden" name={`interests.${index}.tag`} value={tag} />
          <OrInherited label={`Interest: ${label}`}>
            <TextField
              path={`interests.${index}.label`}
              label={`Interest: ${label}`}
              optional
              dir={dir}
              placeholder={instead.find((each) => each.tag === tag)?.label ?? label}
            />
          </OrInherited>
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
