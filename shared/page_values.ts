import { type SignupPage, UTM_NAMES } from "./signup_page.ts";

/** The single values of a signup's page, by the names of their columns in exports. */
export const PAGE_VALUE_NAMES = [
  "page",
  "referrer",
  ...UTM_NAMES.map((name) => `utm_${name}` as const),
] as const;
export type PageValueName = (typeof PAGE_VALUE_NAMES)[number];

/** Returns one value of a page: its path, the origin of the linking site, or a UTM parameter; undefined if it has none. */
export function pageValue({ path, referrer, utm }: SignupPage, name: PageValueName): string | undefined {
  if (name === "page") return path;
  if (name === "referrer") return referrer;
  return utm?.[UTM_NAMES.find((utmName) => name === `utm_${utmName}`)!];
}
