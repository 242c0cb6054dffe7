import type { VNode } from "preact";
import { directionOf, LOCALES } from "../../../shared/texts/locales.ts";
import type { Texts } from "../../../shared/texts/texts.ts";
import { defaultsIn } from "../../settings/forms/form_settings.ts";
import { FORM_TEXTS } from "../../settings/schema/form_texts.ts";
import { TAB_TITLES } from "../../settings/store/tabs.ts";
import { editOfLocale, withEdit } from "./drafts/form_edits.ts";
import type { Page } from "../frame/page.ts";
import { Card } from "../parts/card.tsx";
import { AreaField, SelectField, SwitchField } from "../parts/field.tsx";
import { PostForm, SaveBar, SettingsForm } from "../parts/form.tsx";
import { Notice } from "../parts/notice.tsx";
import { LivePreview } from "../parts/preview.tsx";
import type { View } from "../frame/view.ts";
import { languageName } from "../setup/language_name.ts";
import { AFTER_SIGNUP_TEXTS, AfterSignup, OTHER_OWN_TEXTS, SuccessUrlField } from "./after_signup.tsx";
import { AttributionFields } from "./fields/attribution_fields.tsx";
import { Design } from "./design/design.tsx";
import { DesignImage } from "./design/design_image.tsx";
import { ATTRIBUTION, CONSENT_OPTIONS, NAME_OPTIONS } from "./fields/field_options.ts";
import { FieldList } from "./fields/field_list.tsx";
import { FieldTextsList, fieldTextsOf } from "./fields/field_texts.tsx";
import { FieldOrder } from "./fields/order_list.tsx";
import { InterestList } from "./fields/interests.tsx";
import { languageOf, Languages } from "./languages.tsx";
import { defaultTexts } from "./fields/own_values.tsx";
import { ShownElsewhere } from "./opens/shown_elsewhere.tsx";
import { OtherTexts, TextFields } from "./fields/text_fields.tsx";
import { InterestLabels, translated } from "./translation.tsx";

const DEFAULTS_FORM = "save_form";
const LOCALE_FORM = "locale-form";
/** Every text but those at the top. */
const OTHER_TEXTS: readonly (keyof Texts)[] = [...OTHER_OWN_TEXTS, "noForm", "formOff"];

export const defaultsPage: Page = {
  path: "/form-defaults",
  title: TAB_TITLES.form,
  lead: "Texts, fields, consent and design of every form that has none of its own.",
  group: "Forms",
  icon: "fields",
  shortcut: "d",
  capability: "view",
  render(view) {
    const { locales } = view.app.settings.current().form;
    const locale = languageOf(view);
    return (
      <>
        <Languages view={view} changed={(each) => locales[each] !== undefined} />
        <p class="to-preview">
          <a href="#preview">Go to the preview</a>
        </p>
        <div class="beside">
          <div>
            {locale === "" ? <AllLanguages view={view} /> : <OneLanguage view={view} locale={locale} />}
            {locale === "" && <DesignImage view={view} id={{}} />}
          </div>
          <Card
            id="preview"
            title="Preview"
            lead="The default form. Shows changes as you type. Submissions in the preview are discarded."
          >
            <LivePreview
              view={view}
              form={{}}
              locale={locale}
              source={locale === "" ? DEFAULTS_FORM : LOCALE_FORM}
            />
          </Card>
        </div>
      </>
    );
  },
};

function AllLanguages({ view }: { view: View }): VNode {
  const settings = view.app.settings.current();
  const { showAlreadySubscribed } = settings.form;
  const texts = defaultTexts({ ...settings, form: { ...settings.form, texts: {} } });
  const below = (name: keyof Texts) => (
    <ShownElsewhere view={view} id={{}} name={name} fieldIn={`${LOCALE_FORM}-texts-${name}`} />
  );
  return (
    <SettingsForm view={view} tab="form">
      <Card
        title="Content"
        lead={`Empty fields use the built-in text, which is available in ${LOCALES.length} languages. A text that you enter replaces it in all of them.`}
      >
        <TextFields at="fields.texts" names={FORM_TEXTS} instead={texts} below={below} />
        <OtherTexts at="fields.texts" names={OTHER_TEXTS}>
          <TextFields at="fields.texts" names={OTHER_TEXTS} instead={texts} below={below} />
        </OtherTexts>
      </Card>
      <Card title="Fields">
        <SelectField path="fields.nameField" label="Name" options={NAME_OPTIONS} />
        <InterestList path="fields.interests" />
        <FieldList view={view} path="fields.fields" />
        <FieldOrder
          inherited={{ fields: settings.form.fields }}
          words={{ own: "Change the order", inherit: "Use the usual order again" }}
        />
      </Card>
      <Card title="Consent" lead="The exact wording shown is stored with every signup as proof.">
        <SelectField path="fields.consent" label="Consent checkbox" options={CONSENT_OPTIONS} />
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
        <ShownElsewhere view={view} id={{}} name="consentText" fieldIn={`${LOCALE_FORM}-consentText`} />
      </Card>
      <Design view={view} id={{}} />
      <AfterSignup view={view}>
        <TextFields at="fields.texts" names={AFTER_SIGNUP_TEXTS} instead={texts} below={below} />
        <SuccessUrlField path="fields.successUrl" />
      </AfterSignup>
      <Card title="Sources">
        <SwitchField path="fields.attribution" {...ATTRIBUTION} />
        <AttributionFields view={view} />
      </Card>
      <Card title="Existing subscribers">
        <SwitchField
          path="fields.showAlreadySubscribed"
          label="Tell people that they are already subscribed"
          help="When off, everyone sees the same message, so nobody can find out who is on your list."
        />
        <Notice kind={showAlreadySubscribed ? "warn" : "plain"}>
          When on, anyone can find out whether an address is subscribed, both from the message and from the
          response time.
        </Notice>
      </Card>
    </SettingsForm>
  );
}

function OneLanguage({ view, locale }: { view: View; locale: string }): VNode {
  const { current, providers } = view.app.settings;
  const settings = current();
  const { form } = settings;
  const own = Object.hasOwn(form.locales, locale) ? form.locales[locale] : undefined;
  const dir = directionOf(locale);
  const untranslated = withEdit(
    settings,
    editOfLocale(settings, locale, { texts: {}, interests: [], fields: [] }),
    providers,
  );
  const { texts } = defaultsIn(untranslated ?? settings, locale);
  const action = "cfbe_save_form_locale";
  return (
    <PostForm
      view={view}
      action={action}
      tab="form"
      partOf="locales"
      id={LOCALE_FORM}
      class="form settings"
      match={{ locale }}
      current={{
        consentText: own?.consentText,
        texts: own?.texts,
        interests: translated(form.interests, own?.interests),
        fields: fieldTextsOf(form.fields, own?.fields),
      }}
    >
      <Card title={languageName(locale)} lead="Empty fields use the text shown in gray.">
        <TextFields at="texts" names={FORM_TEXTS} instead={texts} dir={dir} />
        <AreaField
          path="consentText"
          label="Consent text"
          optional
          help={form.consentText
            ? `Leave empty to use: ${form.consentText}`
            : "Shown next to the consent checkbox."}
        />
        <InterestLabels interests={form.interests} dir={dir} />
        <FieldTextsList fields={form.fields} locale={locale} />
        <OtherTexts at="texts" names={OTHER_TEXTS}>
          <TextFields at="texts" names={OTHER_TEXTS} instead={texts} dir={dir} />
        </OtherTexts>
      </Card>
      <AfterSignup view={view}>
        <TextFields at="texts" names={AFTER_SIGNUP_TEXTS} instead={texts} dir={dir} />
      </AfterSignup>
      {view.mayRun(action) && <SaveBar />}
    </PostForm>
  );
}
