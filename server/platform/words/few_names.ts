const LIST = new Intl.ListFormat("en");
/** Names in a sentence. */
const NAMED = 3;

/**
 * Returns names in a sentence, such as `German, French and 18 other languages`.
 *
 * @param others what those are called that are only counted
 */
export function fewNames(names: readonly string[], others: string): string {
  const named = names.length > NAMED ? names.slice(0, NAMED - 1) : names;
  const rest = names.length - named.length;
  return LIST.format([...named, ...(rest > 0 ? [`${rest} ${others}`] : [])]);
}
