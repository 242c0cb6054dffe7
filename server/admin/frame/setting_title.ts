/** Words that are not written like a part of a setting's name. */
import { capitalized } from "../../platform/words/capitalized.ts";

const WORDS: Readonly<Record<string, string>> = {
  ip: "IP",
  url: "URL",
  api: "API",
  id: "ID",
  opt: "opt-",
};

/**
 * Returns the title of a path in the settings. Names in brackets, which users have chosen, stay as they are.
 *
 * @example
 * ```ts
 * settingTitle("triggers.delaySeconds"); // "Triggers › delay seconds"
 * settingTitle("forms[my_Footer].list"); // "Forms › my_Footer › list"
 * ```
 */
export function settingTitle(path: string): string {
  const parts = path.match(/\[[^\]]*\]|[^.[]+/g) ?? [path];
  const titles = parts.map((part) => part.startsWith("[") ? part.slice(1, -1) : wordsOf(part));
  const title = titles.join(" › ");
  return parts[0]?.startsWith("[") ? title : capitalized(title);
}

function wordsOf(name: string): string {
  const words = name.replace(/([A-Z])/g, " $1").toLowerCase().trim().split(" ");
  return words.map((word) => WORDS[word] ?? word).join(" ").replace("opt- in", "opt-in");
}
