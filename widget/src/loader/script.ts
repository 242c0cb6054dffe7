/**
 * Finds the script element that this code was loaded by.
 *
 * A module has no `currentScript`, and a classic script has no `import.meta`. Both find their own URL in the stack of
 * an error. The file name cannot be used: hosts may rename it.
 */
export function findScript(): HTMLScriptElement | undefined {
  const { scripts } = document;
  // An SVG script element has no `src`.
  const currentScript = document.currentScript as HTMLScriptElement | null;
  if (currentScript?.src) return currentScript;
  const { stack } = new Error();
  // Includes the colon before the line number, because one script's URL may be the start of another's.
  return [...scripts].find(({ src }) => src && stack!.includes(`${src}:`));
}
