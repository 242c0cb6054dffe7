import { Buffer } from "node:buffer";

/** Nothing that is read as something else (0 and O, 1 and I, 5 and S …), and no vowels: no code spells a word. */
export const ALPHABET = "CDFGHJKMNPQRTVWX3479";
const GROUPS = 3;
const GROUP = 5;

/**
 * A code that nobody guesses: 15 of 20 letters are 64.8 bits, whatever stands in front. It is no draw but a function
 * of what it is made for, under the site's salt: a database that was restored from before it gives the same again.
 *
 * @param identify an HMAC of a text, base64url, for this purpose alone
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
      // The 16 bytes over 12 whole rounds would make some letters likelier than others.
      if (byte < 240 && letters.length < GROUPS * GROUP) letters.push(ALPHABET[byte % ALPHABET.length]!);
    }
  }
  const groups = Array.from(
    { length: GROUPS },
    (_, at) => letters.slice(at * GROUP, (at + 1) * GROUP).join(""),
  );
  return [...(prefix === "" ? [] : [prefix.toUpperCase()]), ...groups].join("-");
}
