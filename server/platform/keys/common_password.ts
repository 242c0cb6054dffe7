import { loadOnce } from "../load_once.ts";

/**
 * Passwords that attackers try first. The list is that of `@zxcvbn-ts/language-common`: about 50,000 passwords from
 * published leaks, in lower case. It is loaded when the first new password is checked, because it takes a few megabytes.
 */

/** A common password with more characters around it than this is no longer easy to guess. */
const MOST_ADDED = 6;
/** Shorter parts, such as `abc`, repeat themselves in good passwords too. */
const SHORTEST_CORE = 4;

const commonPasswords = loadOnce(async (): Promise<ReadonlySet<string>> => {
  const { dictionary } = await import("@zxcvbn-ts/language-common");
  return new Set(dictionary["passwords-common"].map(String));
});

/** Returns whether a new password is one of the common ones, or nearly one. */
export async function isCommonPassword(password: string): Promise<boolean> {
  return isNearlyIn(await commonPasswords(), password);
}

/**
 * Returns whether a list of common passwords has this one in any letter case: as it is, repeated (`dragondragon`), or with
 * a few digits and signs before or after it (`Password2026!`).
 *
 * @param list in lower case
 */
export function isNearlyIn(list: ReadonlySet<string>, password: string): boolean {
  const text = password.normalize("NFKC").toLowerCase().trim();
  const unit = repeatedUnit(text);
  const core = unit.replace(/^[^\p{L}]+|[^\p{L}]+$/gu, "");
  return unit.length < SHORTEST_CORE || list.has(text) || list.has(unit) ||
    (core.length >= SHORTEST_CORE && unit.length - core.length <= MOST_ADDED && list.has(core));
}

/** Returns the shortest text of which the given one is a repetition. */
function repeatedUnit(text: string): string {
  const length = text.length === 0 ? 0 : (text + text).indexOf(text, 1);
  return text.slice(0, length);
}
