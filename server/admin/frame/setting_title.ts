import { capitalized } from "../../platform/words/capitalized.ts";
import { memberNamed, memberTitle } from "../../settings/schema/form_members.ts";

/** Words that are not written like a part of a setting's name. */
const WORDS: Readonly<Record<string, string>> = {
  ip: "IP",
  url: "URL",
  api: "API",
  id: "ID",
  opt: "opt-",
};

/** What is before a member of a form in a path. */
const BEFORE_MEMBER = /^$|\b(popup|popupDraft|opens|overrides|locales\.[\w-]+|(forms|draft)\[[^\]]*\])\.?$/;

/**
 * Returns the title of a path in the settings. Names in brackets, which users have chosen, and languages stay as they
 * are. Members of forms have the titles of their table.
 *
 * @example
 * ```ts
 * settingTitle("triggers.delaySeconds"); // "Trigger › delay seconds"
 * settingTitle("forms[my_Footer].list"); // "Forms › my_Footer › list"
 * ```
 */
export function settingTitle(path: string): string {
  const parts = [...path.matchAll(/\[[^\]]*\]|[^.[]+/g)];
  const titles = parts.map(({ 0: part, index }) => {
    if (part.startsWith("[")) return part.slice(1, -1);
    const before = path.slice(0, index);
    if (/\blocales\.$/.test(before)) return part;
    const member = BEFORE_MEMBER.test(before) && memberNamed(part);
    return member ? uncapitalized(memberTitle(member)) : wordsOf(part);
  });
  const title = titles.join(" › ");
  return path.startsWith("[") ? title : capitalized(title);
}

const uncapitalized = (title: string) => title.replace(/^./, (first) => first.toLowerCase());

function wordsOf(name: string): string {
  const words = name.replace(/([A-Z])/g, " $1").toLowerCase().trim().split(" ");
  return words.map((word) => WORDS[word] ?? word).join(" ").replace("opt- in", "opt-in");
}
