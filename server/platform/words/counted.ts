const NUMBER = new Intl.NumberFormat("en");

/** Formats a number, such as `1,200`. */
export const number = (value: number): string => NUMBER.format(value);

/**
 * Formats a count with its noun, such as `1 job`, `1,200 jobs` or `2 people`.
 *
 * @param many the plural, if it is not `one` with an "s"
 */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${number(count)} ${count === 1 ? one : many}`;
}

/** Formats a count of which no more than 100 were counted: from there on, `100 or more jobs`. */
export function countedTo100(count: number, one: string, many = `${one}s`): string {
  return count >= 100 ? `100 or more ${many}` : counted(count, one, many);
}
