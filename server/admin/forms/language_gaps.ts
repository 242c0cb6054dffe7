import { counted } from "../../platform/words/counted.ts";
import { outdatedTexts } from "../../forms/ready/outdated_texts.ts";
import { formPath } from "../parts/form_path.ts";
import { textsByLocale } from "../../settings/forms/drafted_form.ts";
import type { DraftedId } from "../../settings/forms/form_drafts.ts";
import { missingTexts } from "../../settings/forms/missing_texts.ts";
import type { Settings } from "../../settings/schema/schema.ts";
import type { Done } from "../frame/action.ts";
import { languageName, languageNames } from "../../platform/words/language_name.ts";

/** How much there is to do in a language. */
export interface LanguageGaps {
  /** Texts that the form has, and the language does not. */
  missing: number;
  /** Texts whose original has changed. */
  toCheck: number;
}

export const NO_GAPS: LanguageGaps = { missing: 0, toCheck: 0 };

export const languageGaps = (settings: Settings, id: DraftedId, locale: string): LanguageGaps => ({
  missing: missingTexts(settings, id, locale).length,
  toCheck: outdatedTexts(settings, id, locale).length,
});

/** Returns what is to do in a language, such as `2 texts missing, 1 to check`; empty if nothing is. */
export function gapsText({ missing, toCheck }: LanguageGaps): string {
  const checked = missing > 0 ? String(toCheck) : counted(toCheck, "text");
  return [
    ...(missing > 0 ? [`${counted(missing, "text")} missing`] : []),
    ...(toCheck > 0 ? [`${checked} to check`] : []),
  ].join(", ");
}

/**
 * Returns what is to do in the languages of a form, in few words and in a sentence, with the first of them; undefined if
 * nothing is.
 */
export function gapsOf(
  settings: Settings,
  id: DraftedId,
): { short: string; text: string; first: string } | undefined {
  const unfinished = Object.keys(textsByLocale(settings.form, id))
    .map((locale) => ({ locale, gaps: gapsText(languageGaps(settings, id, locale)) }))
    .filter(({ gaps }) => gaps !== "");
  const [first] = unfinished;
  if (first === undefined) return undefined;
  const missing = "texts missing or to check";
  const [short, text] = unfinished.length === 1
    ? [`${languageName(first.locale)}: ${first.gaps}`, `${languageName(first.locale)} has ${first.gaps}.`]
    : [
      `${unfinished.length} languages: ${missing}`,
      `${languageNames(unfinished.map(({ locale }) => locale))} have ${missing}.`,
    ];
  return { short, text, first: first.locale };
}

/** Adds to the message about a form that visitors see which of its languages have texts missing or to check. */
export function withLanguageGaps<Said extends Pick<Done, "message">>(
  said: Said,
  settings: Settings,
  id: DraftedId,
): Said & Pick<Done, "link"> {
  const gaps = gapsOf(settings, id);
  return gaps === undefined ? said : {
    ...said,
    message: `${said.message} ${gaps.text}`,
    link: {
      text: `Open the ${languageName(gaps.first)} texts`,
      to: formPath(id.name, { locale: gaps.first }),
    },
  };
}
