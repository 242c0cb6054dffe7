import { hasWebAddress } from "../../../shared/fields/plain_text.ts";

/**
 * A dot that could be part of a domain, including characters that browsers read as a dot, and dots before characters
 * that browsers drop or read as a letter (Unicode UTS #46). Does not match the dot in a number.
 */
const DOMAIN_DOT = /(?<=\S)[.\u2024\u3002\ufe52\uff0e\uff61](?=[^\s\p{P}])(?!(?<=[0-9].)[0-9])/gu;

const DOT = /[.\u2024\u3002\ufe52\uff0e\uff61](?=\S)/gu;

/**
 * Breaks up text that an email client would turn into a link. With a space after the dot, names such as "Node.js" stay
 * readable.
 */
export function withoutLinks(name: string): string {
  const text = name.replace(/:\/\/+/g, ": ").replace(DOMAIN_DOT, ". ");
  // What is left is an IP address, whose dots are those of numbers.
  return hasWebAddress(text) ? text.replace(DOT, ". ") : text;
}
