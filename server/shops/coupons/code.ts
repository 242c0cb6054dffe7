import { Buffer } from "node:buffer";

/** No characters that look alike (0 and O, 1 and I, 5 and S …), and no vowels, so that no code spells a word. */
export const ALPHABET = "CDFGHJKMNPQRTVWX3479";
const GROUPS = 3;
const GROUP = 5;

/**
 * Returns a code that nobody can guess: 15 characters of 20 are 64.8 bits, without the prefix. It is not random but
 * derived from the site's salt, so a database restored from a backup gives the same code again.
 *
 * @param identify returns an HMAC of a text as base64url, used only for this purpose
 *
 * @example
 * ```ts
 * codeFor("hello", (text) => keyring.identify("cfbe/coupon", `${mailbox} ${text}`)); // "HELLO-K7MPC-9XQ4D-WTRH3"
 * ```
 */
export function codeFor(prefix: string, identify: (text: string) => string): string {
  const letters: string[] = [];
  for (let round = 0; letters.length < GROUPS * GROUP; round++) {
    for (const byte of Buffer.from(identify(`${round}`), "base64url")) {
      // Bytes from 240 are skipped, because they would make some letters more likely than others.
      if (byte < 240 && letters.length < GROUPS * GROUP) letters.push(ALPHABET[byte % ALPHABET.length]!);
    }
  }
  const groups = Array.from(
    { length: GROUPS },
    (_, at) => letters.slice(at * GROUP, (at + 1) * GROUP).join(""),
  );
  return [...(prefix === "" ? [] : [prefix.toUpperCase()]), ...groups].join("-");
}
