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
  const ranked = names.map((name) => ({ name, edits: editDistance(typed, name) }))
    .sort((a, b) => a.edits - b.edits);
  return ranked.find(({ edits }) => edits <= MAX_EDITS)?.name;
}

/** Returns the least number of characters to insert, delete or replace that turns one text into the other. */
function editDistance(from: string, to: string): number {
  let previous = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let row = 1; row <= from.length; row++) {
    const current = [row];
    for (let column = 1; column <= to.length; column++) {
      const replaced = previous[column - 1]! + (from[row - 1] === to[column - 1] ? 0 : 1);
      current.push(Math.min(replaced, previous[column]! + 1, current[column - 1]! + 1));
    }
    previous = current;
  }
  return previous[to.length]!;
}
