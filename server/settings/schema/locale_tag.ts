import { z } from "zod";

/** A locale that the runtime can format numbers in and name; it throws for one that is only well-formed. */
export const LocaleTag = z.string().max(35).refine(isLocale, "must be a locale such as de or pt-BR");

function isLocale(tag: string): boolean {
  try {
    return /^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$/.test(tag) && languageNames().of(tag) !== undefined;
  } catch {
    return false;
  }
}

let names: Intl.DisplayNames | undefined;
/** Created when it is first needed, because it takes several megabytes. */
function languageNames(): Intl.DisplayNames {
  return names ??= new Intl.DisplayNames(["en"], { type: "language" });
}
