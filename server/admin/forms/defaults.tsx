import type { VNode } from "preact";
import { LOCALES } from "../../../shared/texts/locales.ts";
import type { Texts } from "../../../shared/texts/texts.ts";
import { defaultsIn } from "../../settings/forms/form_settings.ts";
import { FORM_TEXTS } from "../../settings/schema/form_texts.ts";
import { TAB_TITLES } from "../../settings/store/tabs.ts";
import { editOfLocale, withEdit } from "../../settings/forms/form_edits.ts";
import { definePage } from "../frame/page.ts";
import { Card } from "../parts/card.tsx";
import { PostForm, SaveBar, SettingsForm } from "../parts/form.tsx";
import { Notice } from "../parts/notice.tsx";
import { LivePreview } from "../parts/preview.tsx";
import type { View } from "../frame/view.ts";
import { AFTER_SIGNUP_TEXTS, AfterSignup, OTHER_OWN_TEXTS } from "./after_signup.tsx";
import { Design } from "./design/design.tsx";
import { DesignImage } from "./design/design_image.tsx";
import { fieldTextsOf } from "./fields/field_texts.tsx";
import { languageOf, Languages } from "./languages.tsx";
import { Elsewhere, LOCALE_FORM, Members } from "./fields/members.tsx";
import { defaultTexts, OtherTexts, TextFields } from "./fields/text_fields.tsx";
import { LanguageTexts, translated } from "./translation.tsx";

const DEFAULTS_FORM = "save_form";
/** Every text but those at the top. */
const OTHER_TEXTS: readonly (keyof Texts)[] = [...OTHER_OWN_TEXTS, "noForm", "formOff"];

export const defaultsPage = definePage({
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
});

function AllLanguages({ view }: { view: View }): VNode {
  const settings = view.app.settings.current();
  const { showAlreadySubscribed } = settings.form;
  const texts = defaultTexts({ ...settings, form: { ...settings.form, texts: {} } });
  const below = (name: keyof Texts) => <Elsewhere view={view} id={{}} name={name} at="texts-" />;
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
        <Members view={view} id={{}} section="content" />
      </Card>
      <Card title="Fields">
        {(["name", "interests", "fields", "order"] as const).map((section) => (
          <Members key={section} view={view} id={{}} section={section} />
        ))}
      </Card>
      <Card title="Consent" lead="The exact wording shown is stored with every signup as proof.">
        <Members view={view} id={{}} section="consent" />
      </Card>
      <Card
        id="design"
        title="Design"
        lead="How every form looks that has no design of its own. Your page's own CSS can change it further."
      >
        <Design />
      </Card>
      <AfterSignup view={view}>
        <TextFields at="fields.texts" names={AFTER_SIGNUP_TEXTS} instead={texts} below={below} />
        <Members view={view} id={{}} section="after-signup" />
      </AfterSignup>
      <Card title="Sources">
        <Members view={view} id={{}} section="sources" />
      </Card>
      <Card title="Disposable addresses">
        <Members view={view} id={{}} section="disposable" />
      </Card>
      <Card title="Existing subscribers">
        <Members view={view} id={{}} section="existing" />
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
  const untranslated = withEdit(
    settings,
    editOfLocale(settings, locale, { texts: {}, interests: [], fields: [] }),
    providers,
  );
  const instead = defaultsIn(untranslated ?? settings, locale);
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
      <LanguageTexts view={view} locale={locale} instead={instead} elements={form} />
      {view.mayRun(action) && <SaveBar />}
    </PostForm>
  );
}
