import type { ComponentChildren, VNode } from "preact";
import { outdatedTexts } from "../../../forms/ready/outdated_texts.ts";
import { writtenLocales } from "../../../forms/ready/written_locales.ts";
import { textOf } from "../../../settings/schema/form_texts.ts";
import {
  defaultsIn,
  type FormId,
  isDefaultForm,
  knownLocales,
  lineageIn,
  localeOfForm,
  ownSettings,
} from "../../../settings/forms/form_settings.ts";
import { formOf, formQuery } from "../../../settings/forms/all_forms.ts";
import type { Settings } from "../../../settings/schema/schema.ts";
import type { View } from "../../frame/view.ts";
import { languageName } from "../../../platform/words/language_name.ts";
import { ChooseLanguages, hasFormLanguages } from "../form_languages.tsx";

/** Returns the saved text of a form, or of its variant, for all languages; undefined if it has none. */
function textForAll(settings: Settings, id: FormId, name: string): string | undefined {
  const own = formOf(settings, id.name);
  const variant = own?.experiment?.variants.find((each) => each.id === id.variant);
  return textOf(variant?.overrides ?? own ?? settings.form, name);
}

/** Returns whether visitors with a language see a form in another one, which it has for all whose language it lacks. */
const isInAnother = (settings: Settings, id: FormId, locale: string): boolean =>
  formOf(settings, id.name)?.language !== undefined && localeOfForm(settings, id, [locale]) !== locale;

/** Returns the text that a form shows in one language. */
function textIn(settings: Settings, id: FormId, name: string, locale: string): string | undefined {
  return textOf(isDefaultForm(id) ? defaultsIn(settings, locale) : ownSettings(settings, id, locale), name);
}

/** Returns whether a region has a text from its language, so that a change there changes it. */
function isOfLanguage(settings: Settings, id: FormId, name: string, locale: string): boolean {
  const [, language] = lineageIn(settings, locale);
  return language !== undefined &&
    textIn(settings, id, name, locale) === textIn(settings, id, name, language);
}

/**
 * Returns the languages, other than English, that show a form's text for all languages, those that translate what it said
 * before, and those that have another text. Those that the operator translates something to come first. Those in which
 * visitors see the form in another language are in none.
 */
function languagesOf(settings: Settings, id: FormId, name: string) {
  const text = textForAll(settings, id, name);
  const known = knownLocales(settings);
  const outdated = id.variant !== undefined
    ? []
    : known.filter((locale) =>
      outdatedTexts(settings, id, locale).some((outdated) => outdated.name === name)
    );
  const locales = text
    ? known.filter((locale) =>
      locale !== "en" && !outdated.includes(locale) && !isInAnother(settings, id, locale)
    )
    : [];
  const shows = (locale: string) => textIn(settings, id, name, locale) === text;
  const others = locales.filter((locale) => !shows(locale) && !isOfLanguage(settings, id, name, locale));
  return { showing: locales.filter(shows), outdated, others };
}

/** Most languages that are counted beside one that is named. */
const NAMED = 3;

/** Says which languages show a text that was entered for all languages, and which do not, with links to their texts. */
export function ShownElsewhere(
  { view, id, name, fieldIn, keepsPlace }: {
    view: View;
    id: FormId;
    name: string;
    /** ID of the text's field, or of a card with it, on the page of each language. */
    fieldIn: string;
    /** Whether the text stays shown when another language is chosen in the list of all languages. */
    keepsPlace: boolean;
  },
): VNode {
  const settings = view.app.settings.current();
  const { showing, outdated, others } = languagesOf(settings, id, name);
  const written = writtenLocales(settings);
  const isListEnough = keepsPlace && showing.length > NAMED &&
    !showing.some((each) => written.includes(each));
  const links = (locales: string[]) =>
    locales.map((locale, index) => {
      const query = new URLSearchParams({
        ...(id.name !== undefined && formQuery(id.name)),
        ...(id.variant !== undefined && { variant: id.variant }),
        locale,
      });
      return (
        <>
          {index > 0 && ", "}
          <a href={view.href(`${view.path}?${query}#${fieldIn}`)}>{languageName(locale)}</a>
        </>
      );
    });
  return (
    <>
      {outdated.length > 0 && (
        <details class="elsewhere">
          <summary>
            {counted(outdated, "still translates the text before", "still translate the text before")}.
          </summary>
          <Foremost written={written} lead="Check them" locales={outdated}>{links}</Foremost>
        </details>
      )}
      {others.length > 0 && (
        <details class="elsewhere">
          <summary>
            {id.variant === undefined
              ? counted(others, "has a text of its own", "have texts of their own")
              : counted(others, "does not show this text", "do not show this text")}.
          </summary>
          <Foremost
            written={written}
            lead={id.variant === undefined
              ? "A change here leaves them as they are. Change them, too"
              : "They show the form’s text in their language, until the variant has one. Enter it"}
            locales={others}
          >
            {links}
          </Foremost>
          {id.name !== undefined && id.variant === undefined &&
            hasFormLanguages(view, { ...id, name: id.name }) && (
            <div class="buttons">
              <ChooseLanguages />
            </div>
          )}
        </details>
      )}
      {showing.length > 0 && (
        <details class="elsewhere">
          <summary>
            {showing.length <= NAMED
              ? counted(showing, "shows", "show")
              : `All ${outdated.length + others.length > 0 ? "other languages" : "languages"} show`}{" "}
            this text, too.
          </summary>
          {isListEnough
            ? (
              <div class="buttons">
                <button type="button" class="quiet" popovertarget="languages">Translate it</button>
              </div>
            )
            : <Foremost written={written} lead="Translate it" locales={showing}>{links}</Foremost>}
        </details>
      )}
    </>
  );
}

/** Lists the languages in which somebody has written a text, and the other ones when asked for them. */
function Foremost({ written, lead, locales, children }: {
  written: readonly string[];
  lead: string;
  locales: string[];
  /** Returns links to languages. */
  children: (locales: string[]) => ComponentChildren;
}): VNode {
  const first = locales.filter((locale) => written.includes(locale));
  const others = locales.filter((locale) => !first.includes(locale));
  if (first.length === 0 || others.length === 0) return <p class="help">{lead}: {children(locales)}</p>;
  return (
    <>
      <p class="help">{lead}: {children(first)}</p>
      <details>
        <summary>More languages</summary>
        <p class="help">{children(others)}</p>
      </details>
    </>
  );
}

/** Returns a subject with its verb, such as `German and 19 other languages show`. */
function counted(locales: string[], one: string, several: string): string {
  const [first, ...others] = locales.map(languageName);
  if (others.length === 0) return `${first} ${one}`;
  return `${first} and ${others.length} other ${others.length === 1 ? "language" : "languages"} ${several}`;
}
