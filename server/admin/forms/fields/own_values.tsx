import { Fragment, type VNode } from "preact";
import { en } from "../../../../shared/texts/en.ts";
import type { Texts } from "../../../../shared/texts/texts.ts";
import type { Settings } from "../../../settings/schema/schema.ts";
import { Card } from "../../parts/card.tsx";
import {
  AFTER_SIGNUP_TEXTS,
  AfterSignup,
  MESSAGE_INSTEAD,
  NEXT_PAGE,
  OTHER_OWN_TEXTS,
  SuccessUrlField,
} from "../after_signup.tsx";
import { AreaField, SelectField, SwitchField, TextField } from "../../parts/field.tsx";
import { Notice } from "../../parts/notice.tsx";
import { OwnValue } from "../../parts/own_value.tsx";
import type { View } from "../../frame/view.ts";
import type { FormId } from "../../../settings/forms/form_settings.ts";
import { consentDifference } from "../experiment/consent_difference.ts";
import { ATTRIBUTION, CONSENT_OPTIONS, NAME_OPTIONS, optionLabel } from "./field_options.ts";
import { FieldList } from "./field_list.tsx";
import { FieldOrder } from "./order_list.tsx";
import { InterestList } from "./interests.tsx";
import { ShownElsewhere, type TranslatableText } from "../opens/shown_elsewhere.tsx";
import { OtherTexts, textHelp, textLabel } from "./text_fields.tsx";
import { TRANSLATION_FORM } from "../translation.tsx";

/** Returns the default texts for all languages: those in the settings, and the built-in English ones. */
export function defaultTexts({ form }: Settings): Texts {
  return { ...en.form, ...Object.fromEntries(Object.entries(form.texts).filter(([, text]) => text)) };
}

/** The texts, fields and consent of a form or the popup: its own values, or the defaults. */
export function OwnValues({ view, id }: { view: View; id: FormId }): VNode {
  const settings = view.app.settings.current();
  const { form } = settings;
  const texts = defaultTexts(settings);
  const difference = consentDifference(settings, id);
  const shownElsewhere = (name: TranslatableText, field: string) => (
    <ShownElsewhere view={view} id={id} name={name} fieldIn={`${TRANSLATION_FORM}-${field}`} />
  );
  return (
    <>
      <Card
        id="content"
        title="Content"
        lead={
          <>
            Gray values come from the{" "}
            <a href={view.href("/form-defaults")}>form defaults</a>, and change with them.
          </>
        }
      >
        <OwnText at="fields" name="heading" texts={texts} help="Leave empty to show no heading." />
        {shownElsewhere("heading", "heading")}
        <OwnText at="fields" name="text" texts={texts} help="Leave empty to show no text." />
        {shownElsewhere("text", "text")}
        <OwnText at="fields" name="button" texts={texts} />
        {shownElsewhere("button", "button")}
        <OtherTexts at="fields.texts" names={OTHER_OWN_TEXTS}>
          {OTHER_OWN_TEXTS.map((name) => (
            <Fragment key={name}>
              <OwnText at="fields.texts" name={name} texts={texts} />
              {shownElsewhere(name, `texts-${name}`)}
            </Fragment>
          ))}
        </OtherTexts>
      </Card>
      <Card id="fields" title="Fields">
        <OwnValue
          path="fields.nameField"
          label="Name"
          inherited={form.nameField}
          shown={optionLabel(NAME_OPTIONS, form.nameField)}
        >
          <SelectField path="fields.nameField" label="Name" options={NAME_OPTIONS} />
        </OwnValue>
        <OwnValue
          path="fields.interests"
          label="Interests"
          inherited={form.interests}
          shown={form.interests.map(({ label }) => label).join(", ") || "None"}
        >
          <InterestList path="fields.interests" />
        </OwnValue>
        <OwnValue
          path="fields.fields"
          label="More fields"
          inherited={form.fields}
          shown={form.fields.map(({ label, name }) => label || name).join(", ") || "None"}
        >
          <FieldList view={view} path="fields.fields" />
        </OwnValue>
        <FieldOrder inherited={form} />
      </Card>
      <Card id="consent" title="Consent" lead="The exact wording shown is stored with every signup as proof.">
        {difference && <Notice kind="warn">{difference}</Notice>}
        <OwnValue
          path="fields.consent"
          label="Consent checkbox"
          inherited={form.consent}
          shown={optionLabel(CONSENT_OPTIONS, form.consent)}
        >
          <SelectField path="fields.consent" label="Consent checkbox" options={CONSENT_OPTIONS} />
        </OwnValue>
        <OwnValue
          path="fields.consentText"
          label="Consent text"
          inherited={form.consentText}
          shown={form.consentText || "Empty"}
        >
          <AreaField
            path="fields.consentText"
            label="Consent text"
            help={
              <>
                To add a link:{" "}
                <code>[privacy policy](https://…)</code>. To translate it, select a language above.
              </>
            }
          />
        </OwnValue>
        {shownElsewhere("consentText", "consentText")}
      </Card>
      <AfterSignup view={view}>
        {AFTER_SIGNUP_TEXTS.map((name) => (
          <Fragment key={name}>
            <OwnText at="fields.texts" name={name} texts={texts} />
            {shownElsewhere(name, `texts-${name}`)}
          </Fragment>
        ))}
        <OwnValue
          path="fields.successUrl"
          label={NEXT_PAGE}
          inherited={form.successUrl}
          shown={form.successUrl || MESSAGE_INSTEAD}
        >
          <SuccessUrlField path="fields.successUrl" />
        </OwnValue>
      </AfterSignup>
      <Card title="Sources">
        <OwnValue
          path="fields.attribution"
          label={ATTRIBUTION.label}
          inherited={form.attribution}
          shown={form.attribution ? "On" : "Off"}
        >
          <SwitchField path="fields.attribution" {...ATTRIBUTION} />
        </OwnValue>
        <p class="help">
          The <a href={view.href("/form-defaults")}>form defaults</a> say whether the provider gets it, too.
        </p>
      </Card>
    </>
  );
}

function OwnText(
  { at, name, texts, help = textHelp(name) }: {
    at: string;
    name: keyof Texts;
    texts: Texts;
    help?: string | undefined;
  },
): VNode {
  const path = `${at}.${name}`;
  return (
    <OwnValue path={path} label={textLabel(name)} inherited={texts[name]}>
      <TextField path={path} label={textLabel(name)} help={help} />
    </OwnValue>
  );
}
