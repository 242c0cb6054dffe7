import { LocaleTag } from "../../settings/schema/locale_tag.ts";
import { languageName } from "../../platform/words/language_name.ts";
import { capitalized } from "../../platform/words/capitalized.ts";
import { type FormMember, memberTitle } from "../../settings/schema/form_member.ts";
import { memberNamed } from "../../settings/schema/form_members.ts";

/** Words that are not written like a part of a setting's name. */
const WORDS: Readonly<Record<string, string>> = {
  ip: "IP",
  url: "URL",
  api: "API",
  id: "ID",
  opt: "opt-",
};

/** What is before a member of a form in a path. */
const BEFORE_MEMBER =
  /^$|\b(popup|popupDraft|overrides|confirmedFor|locales\.[\w-]+|(forms|draft)\[[^\]]*\])\.?$/;

/**
 * Returns the title of a path in the settings. Names in brackets, which users have chosen, stay as they are. Languages are
 * named. Members of forms, and those of their values, have the titles of their table.
 *
 * @example
 * ```ts
 * settingTitle("design.radius"); // "Design › Corners"
 * settingTitle("forms[my_Footer].list"); // "Forms › my_Footer › List"
 * settingTitle("locales.de.consentText"); // "German › Consent text"
 * ```
 */
export function settingTitle(path: string): string {
  let holder: FormMember | undefined;
  const titles = [...path.matchAll(/\[[^\]]*\]|[^.[]+/g)].flatMap(({ 0: part, index }) => {
    if (part.startsWith("[")) return part.slice(1, -1);
    const before = path.slice(0, index);
    const after = path.slice(index + part.length);
    if (part === "locales" && after !== "") return [];
    if (/\blocales\.$/.test(before)) return languageTitle(part, after);
    const label = holder?.choices?.[part];
    holder = holder?.hasMembers || BEFORE_MEMBER.test(before) ? memberNamed(part) : undefined;
    return capitalized(label ?? (holder ? memberTitle(holder) : wordsOf(part)));
  });
  return titles.join(" › ");
}

function languageTitle(locale: string, after: string): string {
  const language = LocaleTag.safeParse(locale).success ? languageName(locale) : locale;
  return after === "" ? `${language} texts` : language;
}

function wordsOf(name: string): string {
  const words = name.replace(/([A-Z])/g, " $1").toLowerCase().trim().split(" ");
  return words.map((word) => WORDS[word] ?? word).join(" ").replace("opt- in", "opt-in");
}
