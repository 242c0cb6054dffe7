const RULE = /([^{}]+)\{([^{}]*)\}/g;
const COMMENT = /\/\*[^]*?\*\//g;
/** A name, a number, or a function. */
const COLOR = String.raw`([^,()\s]+(?:\([^()]*\))?)`;
const LIGHT_DARK = new RegExp(String.raw`light-dark\(${COLOR}, ${COLOR}\)`, "g");
const COLOR_MIX = new RegExp(String.raw`color-mix\(in srgb, ${COLOR} (\d+)%, ${COLOR}\)`, "g");

/** Returns rules with only those declarations that contain `name`, as `replaced` returns them. */
function changed(css: string, name: string, replaced: (declaration: string) => string): string {
  return [...css.replace(COMMENT, "").matchAll(RULE)].map(([, selector, body]) => {
    const declarations = body!.split(";").filter((declaration) => declaration.includes(name)).map(replaced);
    return declarations.length === 0 ? "" : `${selector!.trim()} {${declarations.join(";")};\n}\n`;
  }).join("");
}

/** Returns a style sheet that adds `fallback` where the browser does not know the color `probe`. */
const unless = (probe: string, fallback: string): string =>
  fallback && `@supports not (color: ${probe}) {\n${fallback}}\n`;

/**
 * Returns a style sheet that visitors' browsers understand (`widget/oldest_browsers.ts`): without `light-dark()`, colors
 * follow the visitor's preference; without `color-mix()`, the color with the larger share is used, or the one of a
 * border that is not transparent.
 *
 * @param css rules with either function are outside of at-rules
 */
export function withFallbackColors(css: string): string {
  const scheme = (group: "$1" | "$2") =>
    changed(css, "light-dark(", (value) => value.replace(LIGHT_DARK, group));
  const light = scheme("$1");
  return css +
    unless(
      "color-mix(in srgb, red, red)",
      changed(
        css,
        "color-mix(",
        (value) => {
          const isBorder = value.trim().startsWith("border");
          return value.replace(
            COLOR_MIX,
            (_, first, share, second) =>
              Number(share) >= 50 || isBorder && second === "transparent" ? first : second,
          );
        },
      ),
    ) +
    unless(
      "light-dark(red, red)",
      light && `${light}@media (prefers-color-scheme: dark) {\n${scheme("$2")}}\n`,
    );
}
