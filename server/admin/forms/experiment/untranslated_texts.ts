import { formOf } from "../../../settings/forms/all_forms.ts";
import { memberTitle } from "../../../settings/schema/form_member.ts";
import type { Variant } from "../../../settings/schema/experiment_schema.ts";
import { variedTextNames } from "../../../settings/schema/form_layers.ts";
import type { DraftedId } from "../../../settings/forms/form_drafts.ts";
import {
  knownLocales,
  shownTranslation,
  translatedFormIn,
  variantTextsIn,
} from "../../../settings/forms/form_settings.ts";
import type { Settings } from "../../../settings/schema/schema.ts";
import type { Layer } from "../../../settings/store/precedence.ts";
import { isFormText } from "../../../settings/schema/form_texts.ts";
import type { MemberName } from "../../../settings/schema/form_members.ts";
import { languageNames } from "../../../platform/words/language_name.ts";
import { memberOf } from "../fields/member_input.tsx";

const LIST = new Intl.ListFormat("en");

const titles = (names: readonly MemberName[]) =>
  LIST.format(names.map((name) => memberTitle(memberOf(name)).toLowerCase()));

/**
 * Returns sentences about the languages in which a variant has no text of its own although the form has one (see `variantIn`):
 * visitors see the form's, or, where the form's is the default in their language, the variant's as it was typed.
 */
export function untranslatedTexts(settings: Settings, id: DraftedId, { name, overrides }: Variant): string[] {
  const texts = variedTextNames().filter((text) => overrides[text] !== undefined);
  const missingIn = (locale: string) => {
    const translated = translatedFormIn(shownTranslation(settings, locale), id.name);
    const own = variantTextsIn(settings, overrides, locale);
    return texts.filter((text) => translated?.[text] && own[text] === undefined);
  };
  const byTexts = Map.groupBy(knownLocales(settings), (locale) => titles(missingIn(locale)));
  byTexts.delete("");
  const form: Layer = { ...formOf(settings, id.name) };
  const inherited = texts.filter((text) => isFormText(text) && form[text] === undefined);
  return [
    ...[...byTexts].map(([missing, locales]) =>
      `In ${languageNames(locales)}, “${name}” shows the form’s ${missing}: it has none of its own there.`
    ),
    ...(inherited.length === 0 ? [] : [
      `Visitors of other languages see the ${titles(inherited)} of “${name}” as you typed it, ` +
      "but the original’s in their language.",
    ]),
  ];
}
