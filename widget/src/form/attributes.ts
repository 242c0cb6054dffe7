/** The attributes of `<cfbe-form>`. Their parsing, observation and types all derive from one table. */
import type { FormSource } from "../../../shared/contract.ts";

/** Parses the text of an attribute; returns undefined if it is invalid. */
type Parser<T> = (text: string) => T | undefined;

const anything: Parser<string> = (text) => text;

const oneOf = <T extends string>(...allowed: T[]): Parser<T> => (text) =>
  allowed.find((value) => value === text);

const localeTag: Parser<string> = (text) => /^[a-z]{2,3}([-_]\w+)*$/i.test(text) ? text : undefined;

/** Accepts absolute and relative HTTP URLs, but never `javascript:`. */
const webUrl: Parser<string> = (text) => {
  try {
    return /^http/.test(new URL(text, "https://x").protocol) ? text : undefined;
  } catch {
    return undefined;
  }
};

export const ATTRIBUTES = {
  /** Name of a form in the server's settings. */
  form: anything,
  /** With `cfg`: replaces the source of the named form's layout. */
  source: oneOf<FormSource>("shortcode", "block", "promo"),
  /** Signed configuration (`cfbe_cfg`, contract 4.11). */
  cfg: anything,
  heading: anything,
  text: anything,
  button: anything,
  locale: localeTag,
  theme: oneOf("auto", "light", "dark"),
  loading: oneOf("lazy", "eager"),
  "success-url": webUrl,
};

export type AttributeName = keyof typeof ATTRIBUTES;

/** Parsed attributes of a form. Absent and invalid attributes are undefined. */
export type Attributes = { [Name in AttributeName]: ReturnType<(typeof ATTRIBUTES)[Name]> };

const warned = new Set<string>();

/**
 * Reads a form's attributes. Ignores invalid values, and warns once about each.
 *
 * @param get returns the text of an attribute, or null if it is absent
 * @param warn receives warnings for the developer of the page
 */
export function readAttributes(
  get: (name: AttributeName) => string | null,
  warn: (message: string) => void,
): Attributes {
  const read = (name: AttributeName) => {
    const text = get(name);
    if (text === null) return undefined;
    const value = ATTRIBUTES[name](text);
    const message = `[cfbe] <cfbe-form> ignores invalid ${name}="${text}"`;
    if (value === undefined && !warned.has(message)) {
      warned.add(message);
      warn(message);
    }
    return value;
  };
  const names = Object.keys(ATTRIBUTES) as AttributeName[];
  return Object.fromEntries(names.map((name) => [name, read(name)])) as Attributes;
}
