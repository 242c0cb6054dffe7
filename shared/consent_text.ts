/** A piece of a consent text: plain text, or a link when it has an address. */
export interface Piece {
  readonly text: string;
  readonly href?: string;
}

/** `[label](https://…)`, and nothing else: the text is the owner's, yet no markup of theirs reaches the page. */
const LINK = /\[([^[\]]+)\]\((https:\/\/[^\s()]+)\)/;

/**
 * Splits a consent text into text and links. What is no complete `[label](https://…)` stays as it is written.
 *
 * @example
 * parseConsent("See our [terms](https://shop.example/terms).")
 * // [{ text: "See our " }, { text: "terms", href: "https://shop.example/terms" }, { text: "." }]
 */
export function parseConsent(written: string): Piece[] {
  // Splitting by a pattern with two groups gives text, label, address, text, label, …
  const parts = written.split(LINK);
  const pieces: Piece[] = [];
  for (let i = 0; i < parts.length; i += 3) {
    if (parts[i]) pieces.push({ text: parts[i]! });
    if (i + 2 < parts.length) pieces.push({ text: parts[i + 1]!, href: parts[i + 2]! });
  }
  return pieces;
}
