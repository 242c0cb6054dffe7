import type { Context } from "hono";
import type { PaletteColor } from "../../../shared/design/palette.ts";
import { imagePath } from "../../../shared/design/image_id.ts";
import type { PublicDesign } from "../../../shared/design/public_design.ts";
import { FONTS } from "../../../shared/design/tokens.ts";
import type { Config } from "../../platform/config/config.ts";
import type { Clock } from "../../platform/deps.ts";
import { withFallbackColors } from "../../platform/pages/fallback_colors.ts";
import { settingsOfForm } from "../../settings/forms/form_settings.ts";
import { settingsAt } from "../../settings/forms/form_state.ts";
import type { SettingsStore } from "../../settings/store/store.ts";

/** Path of the style sheet with a form's design. */
export const DESIGN_PATH = "/form-design.css";

/** The custom properties of visitor_page.css, by the color of a form that they have. */
const PROPERTIES: readonly (readonly [PaletteColor, property: string])[] = [
  ["bg", "--card"],
  ["fg", "--fg"],
  ["muted", "--muted"],
  ["border", "--edge"],
  ["accent", "--accent"],
  ["on-accent", "--on-accent"],
  ["danger", "--bad"],
];

/** `GET {base_url}/form-design.css?form=NAME`: the style sheet of a form's page. */
export function designRoute(
  app: { config: Pick<Config, "baseUrl">; settings: Pick<SettingsStore, "current">; clock: Clock },
) {
  return (c: Context): Response => {
    const { settings, off } = settingsAt(app.settings.current(), app.clock.now());
    const wanted = c.req.query("form");
    const name = wanted !== undefined && off.has(wanted) ? undefined : wanted;
    const { design } = settingsOfForm(settings, { name }, []);
    return c.body(designCss(design, app.config.baseUrl), 200, {
      "Content-Type": "text/css; charset=utf-8",
      "Cache-Control": "no-cache",
    });
  };
}

/**
 * Returns the style sheet of a form page with this design, which follows visitor_page.css. Designs contain only checked
 * values, so none of them needs escaping.
 *
 * @param baseUrl public URL of the service
 */
function designCss(design: PublicDesign, baseUrl: string): string {
  const { font, radius, gap, heading, columns, image, scheme } = design;
  const color = (name: PaletteColor) => {
    const [light, dark] = design.colors?.[name] ?? [];
    return light && `light-dark(${light}, ${dark})`;
  };
  const colors = PROPERTIES.map(([name, property]) => [property, color(name)] as const);
  const corners = radius === undefined ? undefined : `${radius}rem`;
  return withFallbackColors(
    rules({
      main: {
        ...Object.fromEntries(colors),
        color: "var(--fg)",
        "border-radius": corners && `calc(${corners} * 1.75)`,
      },
      body: {
        "font-family": font && font !== "inherit" ? FONTS[font] : undefined,
        background: image?.place === "background"
          ? `url("${baseUrl}${imagePath(image.id)}") center / cover fixed`
          : undefined,
      },
      h1: { "font-size": heading && `calc(1.6rem * ${heading})` },
      form: { gap: gap && `${gap}rem` },
      "input:not([type=checkbox], [type=radio]), select": {
        "border-radius": corners,
        background: color("input"),
      },
      "[type=checkbox], [type=radio]": { "color-scheme": scheme },
      button: { "border-radius": corners },
      a: { color: color("link") },
      ":focus-visible": { "outline-color": color("link") },
    }) + (columns ? COLUMNS : ""),
  );
}

/** A field of one line. Browsers without `:has` show one column. */
const LINE = "[part=field]:has(> [part=label])";

/** Two columns, where they fit, for fields with another beside them. */
const COLUMNS = rules({
  form: { "grid-template-columns": "repeat(auto-fill, minmax(max(min(12rem, 100%), 34%), 1fr))" },
  "form > *": { "grid-column": "1 / -1" },
  [`${LINE}:has(+ [part=field] > [part=label]), ${LINE} + ${LINE}`]: { "grid-column": "auto" },
});

function rules(all: Record<string, Record<string, string | number | undefined>>): string {
  return Object.entries(all).map(([selector, values]) => {
    const set = Object.entries(values).filter(([, value]) => value);
    return set.length === 0
      ? ""
      : `${selector} {\n${set.map((pair) => `  ${pair.join(": ")};\n`).join("")}}\n`;
  }).join("");
}
