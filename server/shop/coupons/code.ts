import type { Random } from "../../deps.ts";

/** Nothing that is read as something else (0 and O, 1 and I, 5 and S …), and no vowels: no code spells a word. */
export const ALPHABET = "CDFGHJKMNPQRTVWX3479";
const GROUPS = 3;
const GROUP = 5;

/**
 * A code that nobody guesses: 15 of 20 letters are 64.8 random bits, whatever stands in front.
 *
 * @example
 * ```ts
 * newCode("hello", random); // "HELLO-K7MPC-9XQ4D-WTRH3"
 * ```
 */
export function newCode(prefix: string, random: Random): string {
  const letters: string[] = [];
  while (letters.length < GROUPS * GROUP) {
    for (const byte of random.bytes(GROUPS * GROUP)) {
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
