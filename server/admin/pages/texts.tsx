import type { VNode } from "preact";
import { en } from "../../../shared/texts/en.ts";
import { directionOf, LOCALES, matchLocale } from "../../../shared/texts/locales.ts";
import type { Texts } from "../../../shared/texts/texts.ts";
import { LocaleTag } from "../../settings/form_schema.ts";
import type { PublicFormSettings } from "../../../shared/public_settings.ts";
import type { Page } from "../page.ts";
import { Card } from "../parts/card.tsx";
import { AreaField, TextField } from "../parts/field.tsx";
import { PostForm, SaveBar, SettingsForm } from "../parts/form.tsx";
import type { View } from "../view.ts";
import { languageName } from "./language_name.ts";

type FormTexts = Pick<PublicFormSettings, "heading" | "text" | "button">;

const GENERAL_LEAD = "Empty fields use the text for all languages.";

const KEYS = Object.keys(en) as (keyof Texts)[];

const HELP: Partial<Record<keyof Texts, string>> = {
  heading: "Above the form",
  text: "Below the heading",
  optional: "After the label of optional fields",
  sending: "On the button while a signup is being sent",
  success: "After a successful signup",
  alreadySubscribed: "When already subscribed (if enabled on the Form fields page)",
  error: "When the signup failed",
  rateLimited: "After too many attempts",
  invalid: "Above fields with errors",
  again: "Without JavaScript, if the page was open too long",
  noForm: "Without JavaScript, if the URL names an unknown form",
  didYouMean: "{address} is the suggested email address",
  openMail: "{provider} is the visitor's webmail service",
  close: "Screen-reader label for the close button",
  coupon: "In a promo bar; {discount} is the coupon's discount",
};

/** Labels that the key alone does not explain. */
const LABELS: Partial<Record<keyof Texts, string>> = {
  invalid: "Error summary",
  again: "Form expired",
  noForm: "Unknown form",
  didYouMean: "Spelling suggestion",
  openMail: "Webmail link",
};

/** Returns the label of a text, such as `Email label` for `emailLabel`. */
const labelOf = (key: keyof Texts) =>
  LABELS[key] ??
    key.replace(/([A-Z])/g, " $1").toLowerCase().replace(/^./, (first) => first.toUpperCase());

export const textsPage: Page = {
  path: "/texts",
  title: "Texts",
  lead: "All texts that visitors see. Empty fields use the built-in text, available in ten languages.",
  group: "Forms",
  icon: "texts",
  shortcut: "t",
  capability: "view",
  render(view) {
    const { locales } = view.app.settings.current().form;
    const asked = view.query.get("locale") ?? "";
    const locale = LocaleTag.safeParse(asked).success ? asked : "";
    const offered = [
      ...new Set([...Object.keys(LOCALES), ...Object.keys(locales), ...(locale ? [locale] : [])]),
    ];
    return (
      <>
        <Card title="Language" lead="“All languages” applies wherever a language has no text of its own.">
          <nav aria-label="Language to edit">
            <ul class="choices">
              <li>
                <a href={view.href("/texts")} aria-current={locale === "" ? "true" : undefined}>
                  All languages
                </a>
              </li>
              {offered.map((each) => (
                <li key={each}>
                  <a
                    href={view.href(`/texts?locale=${each}`)}
                    aria-current={each === locale ? "true" : undefined}
                  >
                    {languageName(each)} {locales[each] && <small>changed</small>}
                  </a>
                </li>
              ))}
            </ul>
          </nav>
          <form class="line" method="get" action={view.href("/texts")}>
            <label for="locale">Other language</label>
            <input
              id="locale"
              name="locale"
              placeholder="pt-BR"
              size={8}
              required
              pattern="[a-z]{2,3}(-[A-Za-z0-9]{2,8})*"
            />
            <button type="submit">Edit</button>
          </form>
        </Card>
        {locale === "" ? <AllLanguages view={view} /> : <OneLanguage view={view} locale={locale} />}
      </>
    );
  },
};

function AllLanguages({ view }: { view: View }): VNode {
  return (
    <SettingsForm view={view} tab="form">
      <Card title="All languages">
        <TextFields at="fields.texts" shown={en} />
      </Card>
    </SettingsForm>
  );
}

function OneLanguage({ view, locale }: { view: View; locale: string }): VNode {
  const { form, forms: { forms }, popup } = view.app.settings.current();
  const own = form.locales[locale];
  const dir = directionOf(locale);
  const translation = {
    interests: form.interests.map(({ tag }) =>
      own?.interests?.find((each) => each.tag === tag) ?? { tag, label: "" }
    ),
    forms: forms.map(({ name }) => own?.forms?.find((each) => each.name === name) ?? { name }),
    popup: own?.popup,
  };
  const base = LOCALES[matchLocale([locale], Object.keys(LOCALES))]!;
  const texts = Object.fromEntries(Object.entries(form.texts).filter(([, text]) => text));
  return (
    <PostForm
      view={view}
      action="cfbe_save_form_locale"
      tab="form"
      id="locale-form"
      class="form settings"
      match={{ locale }}
      current={{ consentText: own?.consentText, texts: own?.texts, ...translation }}
    >
      <Card title={languageName(locale)}>
        <AreaField
          path="consentText"
          label="Consent text"
          optional
          help={form.consentText
            ? `Leave empty to use: ${form.consentText}`
            : "Shown next to the consent checkbox."}
        />
        <TextFields at="texts" shown={{ ...base, ...texts }} dir={dir} />
      </Card>
      {form.interests.length > 0 && (
        <Card title="Interests" lead={GENERAL_LEAD}>
          {form.interests.map(({ tag, label }, index) => (
            <div key={tag}>
              <input type="hidden" name={`interests.${index}.tag`} value={tag} />
              <TextField
                path={`interests.${index}.label`}
                label={label}
                optional
                dir={dir}
                placeholder={label}
              />
            </div>
          ))}
        </Card>
      )}
      {forms.map((each, index) => (
        <Card key={each.name} title={`Form: ${each.name}`} lead={GENERAL_LEAD}>
          <input type="hidden" name={`forms.${index}.name`} value={each.name} />
          <FormTextFields
            at={`forms.${index}`}
            names={["heading", "text", "button"]}
            shown={each}
            dir={dir}
          />
        </Card>
      ))}
      <Card title="Popup" lead={GENERAL_LEAD}>
        <FormTextFields at="popup" names={["heading", "text"]} shown={popup} dir={dir} />
      </Card>
      {view.mayRun("cfbe_save_form_locale") && <SaveBar view={view} />}
    </PostForm>
  );
}

/** Fields for the texts that one form or the popup has of its own. */
function FormTextFields(
  { at, names, shown, dir }: {
    at: string;
    names: readonly (keyof FormTexts)[];
    /** Texts for all languages. */
    shown: Partial<Record<keyof FormTexts, string | undefined>>;
    dir: "ltr" | "rtl";
  },
): VNode {
  return (
    <>
      {names.map((name) => (
        <TextField
          key={name}
          path={`${at}.${name}`}
          label={labelOf(name)}
          optional
          dir={dir}
          {...(shown[name] && { placeholder: shown[name] })}
        />
      ))}
    </>
  );
}

function TextFields({ at, shown, dir = "ltr" }: { at: string; shown: Texts; dir?: "ltr" | "rtl" }): VNode {
  return (
    <>
      {KEYS.map((key) => (
        <TextField
          key={key}
          path={`${at}.${key}`}
          label={labelOf(key)}
          optional
          dir={dir}
          placeholder={shown[key]}
          help={HELP[key]}
        />
      ))}
    </>
  );
}
