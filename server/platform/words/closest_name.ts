import { edits as editsOf } from "./edits.ts";

/** At most this many typing errors; more would suggest unrelated names. */
const MAX_EDITS = 2;

/**
 * Returns the name that `typed` is most likely a misspelling of, or undefined if none is close.
 *
 * @example
 * ```ts
 * closestName("CFBE_BASEURL", ["CFBE_BASE_URL", "CFBE_KV"]); // "CFBE_BASE_URL"
 * ```
 */
export function closestName(typed: string, names: readonly string[]): string | undefined {
  const ranked = names.map((name) => ({ name, edits: editsOf(typed, name) }))
    .sort((a, b) => a.edits - b.edits);
  return ranked.find(({ edits }) => edits <= MAX_EDITS)?.name;
}
