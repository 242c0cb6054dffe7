/** The page that showed a form, as far as a signup tells about it. */

/** The UTM parameters that a signup keeps, without their prefix `utm_`. */
export const UTM_NAMES = ["source", "medium", "campaign", "term", "content"] as const;
export type UtmName = (typeof UTM_NAMES)[number];

export interface SignupPage {
  /** Path of the page's URL, without query and fragment. */
  path: string;
  /** Origin of the page that linked to it, unless that is on the same site. */
  referrer?: string | undefined;
  /** UTM parameters of the page's URL. */
  utm?: Partial<Record<UtmName, string>> | undefined;
}

/** Returns the UTM parameters in the query of a URL. An empty one counts as absent. */
export function utmIn(query: string): string[][] {
  const parameters = new URLSearchParams(query);
  return UTM_NAMES.map((name) => `utm_${name}`).flatMap((name) =>
    parameters.getAll(name).flatMap((value) => value ? [[name, value]] : [])
  );
}
