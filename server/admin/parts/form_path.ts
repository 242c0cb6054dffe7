import { formQuery, POPUP } from "../../settings/forms/all_forms.ts";

/** Returns the path of a page about a form. Without a name in the query, it is about the popup. */
function pathAbout(path: string, name: string, query: Record<string, string> = {}): string {
  const all = new URLSearchParams({ ...formQuery(name), ...query }).toString();
  return all === "" ? path : `${path}?${all}`;
}

/** Path of the page with a form's settings. */
export const formPath = (name: string, query?: Record<string, string>): string =>
  pathAbout(name === POPUP ? "/popup" : "/form-settings", name, query);

/** Path of a form's experiment, or of a file that belongs to it. */
export const experimentPath = (name: string, file = ""): string => pathAbout(`/experiment${file}`, name);

/** Path of the page with a form's versions, or with one of them. */
export const historyPath = (name: string, query?: Record<string, string>): string =>
  pathAbout("/form-history", name, query);

/** Path of the page that copies a form. */
export const copyPath = (name: string): string => pathAbout("/new-form", name, { from: "copy" });

/** The ID of the question on a form's page that removes the form. A link to it opens it. */
export const REMOVE_QUESTION = "remove-form";
