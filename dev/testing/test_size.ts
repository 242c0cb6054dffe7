/**
 * Returns how much a test does: the number in an environment variable, which the tasks for large runs set.
 *
 * @param usual without the variable
 * @throws {TypeError} if it is not a whole number: a loop up to anything else would test nothing
 */
export function testSize(variable: string, usual: number): number {
  const text = Deno.env.get(variable) ?? String(usual);
  if (!/^\d+$/.test(text)) throw new TypeError(`${variable} must be a whole number, not ${text}`);
  return Number(text);
}
