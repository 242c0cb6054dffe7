/**
 * Finds the script element that this code came from.
 *
 * A module has no `currentScript`, and a classic script no `import.meta`; what both have is their own address in
 * the stack of an error. The name of the file is no help: a host may rename it.
 */
export function findScript(): HTMLScriptElement | undefined {
  const { scripts } = document;
  // One of SVG's has no `src`.
  const currentScript = document.currentScript as HTMLScriptElement | null;
  if (currentScript?.src) return currentScript;
  const { stack } = new Error();
  // The colon in front of the line number: one script's address may be the start of another's.
  return [...scripts].find(({ src }) => src && stack?.includes(`${src}:`));
}
