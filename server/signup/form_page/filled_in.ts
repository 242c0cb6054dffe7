import type { FormField } from "../../../shared/fields/kinds.ts";

const LONGEST_SHOWN = 300;

/** The visitor's input, to be shown again. */
export interface FilledIn {
  email: string;
  name: string;
  interests: string[];
  consent: boolean;
  /** Values of the form's other fields, by name. */
  fields: Record<string, string[]>;
  /** URL of the page that linked to the form; empty without one. Absent if another page showed the form. */
  referrer?: string;
}

/** Name of the hidden input by which a form on its own page remembers the page that linked to it. */
export const REFERRER_INPUT = "cfbe_referrer";

export const EMPTY: FilledIn = { email: "", name: "", interests: [], consent: false, fields: {} };

/** Returns the visitor's input from the fields of a submitted form. Long texts are cut off. */
export function filledIn(fields: URLSearchParams): FilledIn {
  const text = (name: string) => (fields.get(name) ?? "").slice(0, LONGEST_SHOWN);
  return {
    email: text("email"),
    name: text("name"),
    interests: fields.getAll("interests"),
    consent: !["", "0", "false", "off"].includes(text("consent")),
    fields: otherFields(fields),
    ...(fields.has(REFERRER_INPUT) && { referrer: text(REFERRER_INPUT) }),
  };
}

/**
 * Returns the input of a visitor who has just opened the page: only the values of hidden fields.
 *
 * @param referrer URL of the page with the link, if the browser sent it
 */
export function openedWith(
  fields: readonly FormField[],
  query: URLSearchParams,
  referrer: string | undefined,
): FilledIn {
  const values: FilledIn["fields"] = {};
  for (const { name, from, key = "" } of fields) {
    const value = from === "query" ? query.get(key) : from === "referrer" ? originOf(referrer) : null;
    if (value) values[name] = [value.slice(0, LONGEST_SHOWN)];
  }
  return { ...EMPTY, fields: values, referrer: originOf(referrer) ?? "" };
}

const originOf = (url: string | undefined) => URL.parse(url ?? "")?.origin;

/** Returns the values of inputs named `fields[company]`. */
function otherFields(fields: URLSearchParams): FilledIn["fields"] {
  const values: FilledIn["fields"] = {};
  for (const [key, value] of fields) {
    const name = /^fields\[([a-z][a-z0-9_]*)\]$/.exec(key)?.[1];
    if (name === undefined) continue;
    if (!Object.hasOwn(values, name)) values[name] = [];
    values[name]!.push(value.slice(0, LONGEST_SHOWN));
  }
  return values;
}
