/** Part of a consent text: plain text, or a link if `href` is set. */
export interface ConsentSegment {
  readonly text: string;
  readonly href?: string;
}

/** Matches `[label](https://…)`. No other markup is supported, so a consent text cannot inject HTML into the page. */
const LINK = /\[([^[\]]+)\]\((https:\/\/[^\s()]+)\)/;

/**
 * Splits a consent text into plain text and links. Anything but a complete `[label](https://…)` stays plain text.
 *
 * @example
 * parseConsent("See our [terms](https://shop.example/terms).")
 * // [{ text: "See our " }, { text: "terms", href: "https://shop.example/terms" }, { text: "." }]
 */
export function parseConsent(source: string): ConsentSegment[] {
  // Splitting by a pattern with two groups yields text, label, URL, text, label, URL, …
  const parts = source.split(LINK);
  const segments: ConsentSegment[] = [];
  for (let i = 0; i < parts.length; i += 3) {
    if (parts[i]) segments.push({ text: parts[i]! });
    if (i + 2 < parts.length) segments.push({ text: parts[i + 1]!, href: parts[i + 2]! });
  }
  return segments;
}

/** What people mean to be a link: a label in brackets, followed by an address in parentheses. */
const MEANT = /\[[^[\]]+\]\s?\([^\s()]*\)/g;

/** Returns the parts of a consent text that look like links and are shown as they are written. */
export function unreadLinks(source: string): string[] {
  return parseConsent(source).flatMap(({ text, href }) => href === undefined ? text.match(MEANT) ?? [] : []);
}
