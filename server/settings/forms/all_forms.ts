import { openingRules } from "../schema/opens_schema.ts";
import type { Settings } from "../schema/schema.ts";

/**
 * The name of the popup among the forms of a site. No other form can have it: names begin with a letter or a digit. Outside,
 * the popup has no name: actions, pages and reports mean it if they name no form.
 */
export const POPUP = ":popup";

/** A form of the site: a named one, or the popup, which has a tab of its own in the settings. */
export type SiteForm = Settings["forms"]["forms"][number] | Settings["popup"];

/** How a form opens by itself. */
export type Opens = NonNullable<Settings["forms"]["forms"][number]["opens"]>;

type Tabs = Pick<Settings, "forms" | "popup">;

/** Returns the names of all forms of the site: the named ones in order, then the popup. */
export const formNames = ({ forms: { forms } }: Tabs): string[] => [...forms.map(({ name }) => name), POPUP];

/** Returns all forms of the site, in the order of `formNames`. */
export const allForms = ({ forms: { forms }, popup }: Tabs): SiteForm[] => [...forms, popup];

/** Returns a form of the site by its name; undefined if there is none. */
export const formOf = ({ forms: { forms }, popup }: Tabs, name: string | undefined): SiteForm | undefined =>
  name === POPUP ? popup : forms.find((form) => form.name === name);

/** Returns the form that an input, a query or a report means: without a name, the popup. */
export const formOrPopup = (name: string | undefined): string => name ?? POPUP;

/** Returns what names a form outside: undefined for the popup. */
export const nameOutside = (name: string): string | undefined => name === POPUP ? undefined : name;

/** Returns the query or input that names a form outside. */
export const formQuery = (name: string): { form?: string } => name === POPUP ? {} : { form: name };

/**
 * Returns what a form is called: its title, or its ID if it has none, or `the popup`. If another form has the same title,
 * its ID follows.
 */
export function formTitle({ forms: { forms } }: Pick<Settings, "forms">, name: string): string {
  if (name === POPUP) return "the popup";
  const title = forms.find((form) => form.name === name)?.title;
  if (!title) return name;
  return forms.some((other) => other.title === title && other.name !== name) ? `${title} (${name})` : title;
}

/** Returns what a form is called in a sentence: `the form Autumn club`, or `the popup`. */
export const formInSentence = (settings: Pick<Settings, "forms">, name: string): string =>
  `${name === POPUP ? "" : "the form "}${formTitle(settings, name)}`;

/** Returns the tab of the settings that has a form. */
export const tabOfForm = (name: string): "popup" | "forms" => name === POPUP ? "popup" : "forms";

const RULES = Object.keys(openingRules) as (keyof typeof openingRules)[];

/** What decides when a form opens by itself. The popup has it among its members. */
export type OpeningRules = Pick<Opens, (typeof RULES)[number]>;

/** Returns the rules of an opening, or of the popup, without its other members. */
export const rulesIn = (opening: OpeningRules): OpeningRules =>
  Object.fromEntries(RULES.map((name) => [name, opening[name]])) as OpeningRules;

/** Returns how a form opens by itself; undefined if it does not. */
export function opensOf(form: SiteForm | undefined): Opens | undefined {
  if (!form || !("enabled" in form)) return form?.opens;
  return form.enabled ? { kind: "popup", width: form.width, ...rulesIn(form) } : undefined;
}
