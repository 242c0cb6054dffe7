/** The attributes of `<cfbe-form>`: one table, from which reading, watching and types follow. */
import type { FormSource } from "../../../shared/contract.ts";

/** Turns what a page wrote into a value; undefined when it is none. */
type Parser<T> = (written: string) => T | undefined;

const anything: Parser<string> = (written) => written;

const oneOf = <T extends string>(...allowed: T[]): Parser<T> => (written) =>
  allowed.find((value) => value === written);

const localeTag: Parser<string> = (written) => /^[a-z]{2,3}([-_]\w+)*$/i.test(written) ? written : undefined;

/** An address in the web, absolute or not: never `javascript:`. */
const webAddress: Parser<string> = (written) => {
  const base = "https://x";
  return URL.canParse(written, base) && /^http/.test(new URL(written, base).protocol) ? written : undefined;
};

export const ATTRIBUTES = {
  /** A named form of the server's settings. */
  form: anything,
  /** With `cfg`: where the form stands, in place of what the named form's layout says. */
  source: oneOf<FormSource>("shortcode", "block", "promo"),
  /** Signed configuration (`cfbe_cfg`, contract 4.11). */
  cfg: anything,
  heading: anything,
  text: anything,
  button: anything,
  locale: localeTag,
  theme: oneOf("auto", "light", "dark"),
  loading: oneOf("lazy", "eager"),
  "success-url": webAddress,
};

export type AttributeName = keyof typeof ATTRIBUTES;

/** What the attributes of a form say. One that is absent or wrong is undefined. */
export type Attributes = { [Name in AttributeName]: ReturnType<(typeof ATTRIBUTES)[Name]> };

const warned = new Set<string>();

/**
 * Reads a form's attributes. A wrong value counts as none, and warns the first time it is met.
 *
 * @param get reads one attribute; null when it is absent
 * @param warn tells the page's author
 */
export function readAttributes(
  get: (name: AttributeName) => string | null,
  warn: (message: string) => void,
): Attributes {
  const read = (name: AttributeName) => {
    const written = get(name);
    if (written === null) return undefined;
    const value = ATTRIBUTES[name](written);
    const message = `[cfbe] <cfbe-form> knows no ${name}="${written}"`;
    if (value === undefined && !warned.has(message)) {
      warned.add(message);
      warn(message);
    }
    return value;
  };
  const names = Object.keys(ATTRIBUTES) as AttributeName[];
  return Object.fromEntries(names.map((name) => [name, read(name)])) as Attributes;
}
