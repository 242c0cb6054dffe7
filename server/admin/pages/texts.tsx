import type { VNode } from "preact";
import { en } from "../../../shared/texts/en.ts";
import { directionOf, LOCALES, matchLocale } from "../../../shared/texts/locales.ts";
import type { Texts } from "../../../shared/texts/texts.ts";
import { LocaleTag } from "../../settings/schema.ts";
import type { Page } from "../page.ts";
import { Card } from "../parts/card.tsx";
import { AreaField, TextField } from "../parts/field.tsx";
import { PostForm, SaveBar, SettingsForm } from "../parts/form.tsx";
import type { View } from "../view.ts";

const KEYS = Object.keys(en) as (keyof Texts)[];

const ABOUT: Partial<Record<keyof Texts, string>> = {
  heading: "Above the form",
  text: "Below the heading",
  optional: "Behind fields that may stay empty",
  sending: "On the button, while a signup is on its way",
  success: "When it worked",
  alreadySubscribed: "When they are subscribed already, if that is told",
  error: "When it did not work",
  rateLimited: "After too many attempts",
  invalid: "Above the fields to mend",
  again: "Without script, when the page lay open too long",
  noForm: "Without script, when no form has the name in the address",
  didYouMean: "{address} is the one that was probably meant",
  openMail: "{provider} is the visitor's web mail",
  close: "For those who can't see the cross",
  coupon: "On a promo strip; {discount} is what is taken off",
};

/** `emailLabel` as people read it. */
const titleOf = (key: string) =>
  key.replace(/([A-Z])/g, " $1").toLowerCase().replace(/^./, (first) => first.toUpperCase());

const nameOf = (locale: string) => new Intl.DisplayNames(["en"], { type: "language" }).of(locale) ?? locale;

export const textsPage: Page = {
  path: "/texts",
  title: "Texts",
  lead: "Every word that a visitor reads. What is left empty stays as it comes, in ten languages.",
  group: "Collect",
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
        <Card title="Language" lead="Texts for every language hold wherever a language has none of its own.">
          <nav aria-label="Language to edit">
            <ul class="choices">
              <li>
                <a href={view.href("/texts")} aria-current={locale === "" ? "true" : undefined}>
                  Every language
                </a>
              </li>
              {offered.map((each) => (
                <li key={each}>
                  <a
                    href={view.href(`/texts?locale=${each}`)}
                    aria-current={each === locale ? "true" : undefined}
                  >
                    {nameOf(each)} {locales[each] && <small>changed</small>}
                  </a>
                </li>
              ))}
            </ul>
          </nav>
          <form class="line" method="get" action={view.href("/texts")}>
            <label for="locale">Another</label>
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
        {locale === "" ? <EveryLanguage view={view} /> : <OneLanguage view={view} locale={locale} />}
      </>
    );
  },
};

function EveryLanguage({ view }: { view: View }): VNode {
  return (
    <SettingsForm view={view} tab="form">
      <Card title="Every language">
        <TextFields at="fields.texts" shown={en} />
      </Card>
    </SettingsForm>
  );
}

function OneLanguage({ view, locale }: { view: View; locale: string }): VNode {
  const { form } = view.app.settings.current();
  const own = form.locales[locale];
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
      current={{ consentText: own?.consentText, texts: own?.texts }}
    >
      <Card title={nameOf(locale)}>
        <AreaField
          path="consentText"
          label="What they agree to"
          optional
          help={form.consentText ? `Empty: ${form.consentText}` : "Shown while consent is asked for."}
        />
        <TextFields at="texts" shown={{ ...base, ...texts }} dir={directionOf(locale)} />
      </Card>
      {view.mayRun("cfbe_save_form_locale") && <SaveBar view={view} />}
    </PostForm>
  );
}

function TextFields({ at, shown, dir = "ltr" }: { at: string; shown: Texts; dir?: "ltr" | "rtl" }): VNode {
  return (
    <>
      {KEYS.map((key) => (
        <TextField
          key={key}
          path={`${at}.${key}`}
          label={titleOf(key)}
          optional
          dir={dir}
          placeholder={shown[key]}
          help={ABOUT[key]}
        />
      ))}
    </>
  );
}
