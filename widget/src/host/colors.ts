/** Lets colors follow the page in browsers without `light-dark()`: Chrome before 123, Firefox before 120, Safari before 17.5. */

const HAS_LIGHT_DARK = CSS.supports("color:light-dark(red,red)");

/** Returns whether the page is dark: by its color scheme, or, if it allows both or sets none, by the visitor's preference. */
function isDark(): boolean {
  const { colorScheme } = getComputedStyle(document.documentElement);
  return colorScheme === "dark" ||
    colorScheme !== "light" && matchMedia("(prefers-color-scheme:dark)").matches;
}

/**
 * Returns a style sheet that any browser understands. Without `light-dark()`, each color is the one for the page as it is
 * now. Both colors must be without parentheses.
 */
export const colored = (css: string): string =>
  HAS_LIGHT_DARK ? css : css.replace(/light-dark\((.+?),(.+?)\)/g, isDark() ? "$2" : "$1");
