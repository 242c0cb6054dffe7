import type { VNode } from "preact";
import { LOCALES } from "../../../shared/texts/locales.ts";
import { knownLocales } from "../../settings/forms/form_settings.ts";
import { LocaleTag } from "../../settings/schema/locale_tag.ts";
import { writtenLocales } from "../../forms/ready/written_locales.ts";
import type { View } from "../frame/view.ts";
import { byLanguageName, languageName } from "../../platform/words/language_name.ts";
import { ChooseLanguages } from "./form_languages.tsx";
import { gapsText, type LanguageGaps, NO_GAPS } from "./language_gaps.ts";

const ALL_LANGUAGES = "All languages";

/** Returns the language in the page's URL; "" for the texts of all languages. */
export function languageOf(view: View): string {
  const locale = view.query.get("locale") ?? "";
  return LocaleTag.safeParse(locale).success ? locale : "";
}

/** Returns the same, but "" for a language without any text. */
export function knownLanguageOf(view: View): string {
  const locale = languageOf(view);
  return knownLocales(view.app.settings.current()).includes(locale) ? locale : "";
}

/**
 * The language that a page shows and edits, with links to the other ones. Those in which somebody has written a text, and
 * those chosen for a form, come first. `query` is the rest of the page's query.
 */
export function Languages(
  { view, query = {}, changed, gaps = () => NO_GAPS, ofForm, mayChoose }: {
    view: View;
    query?: Record<string, string>;
    /** Returns whether there are texts in a language. */
    changed(locale: string): boolean;
    /** Returns what is to do in a language that has texts. */
    gaps?(locale: string): LanguageGaps;
    /** For a variant, which has only the languages of its form: returns whether the form has texts in a language. */
    ofForm?(locale: string): boolean;
    /** Whether the page without a language has the dialog that chooses the languages of the form. */
    mayChoose?: boolean;
  },
): VNode {
  const current = ofForm ? knownLanguageOf(view) : languageOf(view);
  const settings = view.app.settings.current();
  const own = current ? [current] : [];
  const offered = new Set([...LOCALES, ...Object.keys(settings.form.locales), ...own]);
  const having = [...offered].filter(ofForm ?? changed);
  // A form that has texts in all languages has those of a ready form: nobody has chosen them.
  const chosen = having.length < LOCALES.length - 1 ? having : [];
  const differing = ofForm ? [...offered].filter(changed) : [];
  const used = new Set([...writtenLocales(settings), ...chosen, ...differing, ...own]);
  const others = [...offered].filter((each) => !used.has(each));
  const href = (locale: string) => {
    const search = new URLSearchParams({ ...query, ...(locale && { locale }) }).toString();
    return view.href(`${view.path}${search && `?${search}`}`);
  };
  const link = (each: string) => (
    <li key={each}>
      <a href={href(each)} aria-current={each === current ? "true" : undefined}>
        {nameOf(each)} {each !== "" && changed(each) && <small>{gapsText(gaps(each)) || "has texts"}</small>}
      </a>
    </li>
  );
  return (
    <div class="languages">
      <button type="button" id="language" popovertarget="languages">
        <span class="hidden">Language:</span> {nameOf(current)}
      </button>
      <div
        class="menu"
        id="languages"
        popover="auto"
        role="group"
        aria-label="Language to show and edit"
        data-languages=""
      >
        <ul data-follows="languages">{["", ...byLanguageName(used)].map(link)}</ul>
        {mayChoose && <ChooseLanguages page={current && href("")} />}
        <details open={used.size === 0}>
          <summary>More languages</summary>
          <ul>{byLanguageName(others).map(link)}</ul>
          {ofForm
            ? <p class="help">To add a language, give the form a text in it.</p>
            : <OtherLanguage action={view.href(view.path)} query={query} />}
        </details>
        <p class="help">
          {ofForm
            ? (
              <>
                A text that you enter under “{ALL_LANGUAGES}” is shown in every language in which the form has
                none of its own. In the others, the variant shows the form’s, until you enter one for that
                language.
              </>
            )
            : (
              <>
                A text that you enter under “{ALL_LANGUAGES}” replaces the built-in text of every language,
                until you enter one for that language.
              </>
            )}
        </p>
      </div>
    </div>
  );
}

const nameOf = (locale: string): string => locale === "" ? ALL_LANGUAGES : languageName(locale);

/** Opens the page in a language that is not offered. */
function OtherLanguage({ action, query }: { action: string; query: Record<string, string> }): VNode {
  return (
    <>
      <form class="line" method="get" action={action}>
        {Object.entries(query).map(([name, value]) => (
          <input key={name} type="hidden" name={name} value={value} />
        ))}
        <label for="locale">Other language</label>
        <input
          id="locale"
          name="locale"
          placeholder="pt-BR"
          size={8}
          required
          pattern="[a-z]{2,3}(-[A-Za-z0-9]{2,8})*"
          title="Enter a language tag (BCP 47), such as de or pt-BR."
          aria-describedby="locale-help"
        />
        <button type="submit">Edit</button>
      </form>
      <p class="help" id="locale-help">
        A language tag (BCP 47): <code>de</code> for German, <code>pt-BR</code> for Brazilian Portuguese.
      </p>
    </>
  );
}
