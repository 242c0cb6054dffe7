/**
 * Formats a count with its noun, such as `1 job`, `1,200 jobs` or `2 people`.
 *
 * @param many the plural, if it is not `one` with an "s"
 */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString("en")} ${count === 1 ? one : many}`;
}
