import type { PaletteColor } from "../../../shared/design/palette.ts";
import type { PublicDesign } from "../../../shared/design/public_design.ts";
import { FONTS, type ImagePlace } from "../../../shared/design/tokens.ts";

/**
 * The style sheets of a design. Each declaration asks the page's custom property first, so that the page's own styles win
 * over the design.
 */

/** Screens on which the popup is a dialog. On smaller ones it is a sheet with too little room for an image. */
const DIALOG_SCREENS = "@media (min-width:601px) and (min-height:481px)";

/** Returns the value of a color, or undefined if the design has no such color. */
function colorOf({ colors }: PublicDesign, name: PaletteColor): string | undefined {
  const [light, dark] = colors?.[name] ?? [];
  return light && (light === dark ? light : `light-dark(${light},${dark})`);
}

/** Returns the declarations whose value is set. */
const declarations = (values: Record<string, string | false | 0 | undefined>): string =>
  Object.entries(values).map(([name, value]) => value ? `${name}:${value};` : "").join("");

const rule = (selector: string, values: Record<string, string | false | 0 | undefined>): string => {
  const body = declarations(values);
  return body && `${selector}{${body}}`;
};

/** Returns `value`, unless the page sets one of the custom properties. */
const unlessSet = (value: string | undefined, ...properties: string[]): string | undefined =>
  value && properties.reduceRight((value, property) => `var(--cfbe-${property},${value})`, value);

/** Size of a block's heading, as in layout.css. */
const BLOCK_HEADING = "clamp(1.5em,1em + 2cqi,2.125em)";

/** Returns the style sheet of a form: the last of its shadow root, so that it wins over the form's own. */
export function formCss(design: PublicDesign, source: string): string {
  const { radius, gap, font, heading, columns, image, scheme } = design;
  const color = (name: PaletteColor) => colorOf(design, name);
  const link = unlessSet(color("link"), "accent");
  const own = (["bg", "fg", "muted", "border", "accent", "on-accent", "danger"] as const).map((name) =>
    [`--${name}`, unlessSet(color(name), name)] as const
  );
  return rule("[lang]", {
    ...Object.fromEntries(own),
    "--radius": unlessSet(radius === undefined ? undefined : `${radius}em`, "radius"),
    "font-family": unlessSet(font && FONTS[font], "font"),
  }) +
    // A promo bar has little room, whatever the design.
    rule("[lang]:not(.promo)", { "--gap": unlessSet(gap ? `${gap}em` : undefined, "gap") }) +
    rule("[lang]:not(.promo) form h2", {
      "font-size": heading && `calc(${source === "block" ? BLOCK_HEADING : "1.5em"}*${heading})`,
    }) +
    rule(".block", { background: color("bg") && "var(--bg)" }) +
    rule("[lang] [part=input]", { background: unlessSet(color("input"), "bg") }) +
    rule("[lang] :is(a,[part=hint],[part=coupon])", { color: link }) +
    rule(":focus-visible", { "outline-color": unlessSet(link, "focus") }) +
    rule("[type=checkbox],[type=radio]", { "color-scheme": scheme }) +
    rule("[part=close]", { color: unlessSet(color("muted"), "muted") }) +
    (image ? imageCss(image.place, source, besideWidth(design)) : "") +
    (columns && source !== "promo" ? COLUMNS : "");
}

/** Returns the style sheet of the popup, slide-in or bar around a form. */
export function dialogCss(design: PublicDesign): string {
  const color = (name: PaletteColor) => colorOf(design, name);
  const { radius, heading, columns, image } = design;
  const corner = radius === undefined ? undefined : `calc(${unlessSet(`${radius}em`, "radius")}*1.75)`;
  return rule("dialog,aside", { color: unlessSet(color("muted"), "muted") }) +
    rule("dialog,.slide-in", { "border-start-start-radius": corner, "border-start-end-radius": corner }) +
    rule("button", { background: unlessSet(color("bg"), "bg") }) +
    rule("button:hover", { color: unlessSet(color("fg"), "fg") }) +
    rule("button:focus-visible", { "outline-color": unlessSet(color("link"), "focus", "accent") }) +
    // On phones the heading stays small, so that the button is in view.
    `@media (min-width:481px){${
      rule(".slide-in cfbe-form::part(heading)", { "font-size": heading && `${1.25 * heading}em` })
    }}${DIALOG_SCREENS}{${
      rule("dialog,.slide-in", { "border-radius": corner }) +
      rule("dialog", {
        "--width": columns && "36em",
        width: image && /left|right/.test(image.place) && `min(${besideWidth(design)},100vw - 2em)`,
      })
    }}`;
}

/** A field of one line. Browsers without `:has` show one column. */
const LINE = "[part=field]:has(>[part=label])";

/**
 * Two columns if each is at least 12em wide, for fields with another beside them. In a block the texts are then above
 * the fields, not beside them.
 */
const COLUMNS =
  "form{grid-template-columns:repeat(auto-fill,minmax(max(min(12em,100%),34%),1fr));gap:var(--gap)}" +
  "form>*,form>:first-child{grid-area:auto/1/auto/-1}" +
  `${LINE}:has(+[part=field]>[part=label]),${LINE}+${LINE}{grid-column:auto}` +
  // Inputs stay in line if only one of two labels takes two lines.
  "form:not(:has([part=error],[part=help])){align-items:end}" +
  ".block>form{justify-self:center;width:100%;max-width:46em}.block>form>*{margin:0}";

/** Padding around the fields, as in form.css and layout.css. It moves inwards, so that an image reaches the edge. */
const INNER_PADDING = "form,.success>.done{padding:calc(var(--gap)*1.75)}" +
  ".block>form,.block.success>.done{padding:clamp(1.25em,6%,4em)}";

/** These have no visible border, which would show the background around an image. */
const NO_BORDER = ":is(.block,.popup){border:0}";

const TOP = `[lang]{padding:0;overflow:clip;grid-template-rows:auto 1fr}${INNER_PADDING}` +
  "[part=image]{width:100%;height:auto;max-height:12em}" +
  "form,.done{grid-row:2}";

/** Returns the width of a form with an image beside it, which leaves room for its columns. */
const besideWidth = ({ columns }: PublicDesign) => columns ? "56em" : "46em";

/** Returns the rules for an image beside the form in some layouts. `form` is the column of the form. */
const beside = (layout: string, form: 1 | 2, share: string): string =>
  `${layout}[lang]{grid-template:1fr/${form === 1 ? `${share} 1fr` : `1fr ${share}`}}` +
  `${layout}>[part=image]{place-self:stretch;grid-area:1/${
    3 - form
  };max-height:none;min-height:16em;contain:size}` +
  `${layout}>:is(form,.done){grid-area:1/${form}}`;

/** The image is beside the form if there is room for both, and otherwise above it. */
const side = (form: 1 | 2) => (width: string): string =>
  ":host{container-type:inline-size;width:100%}" + TOP +
  "@container (min-width:600px){" + beside(":not(.block)", form, "1.5fr") +
  `[lang]:not(.block){max-width:var(--cfbe-max-width,${width})}}` +
  // Texts and fields are side by side in a block, so both together need more room.
  "@container (min-width:1100px){" + beside(".block", form, "2fr") + "}";

/** The form is on a panel in front of the image, so that its contrast does not depend on the image. */
const BACKGROUND = "[lang]{position:relative;isolation:isolate;overflow:clip}" +
  "[part=image]{position:absolute;z-index:-1;inset:0;width:100%;height:100%}" +
  "form,.success>.done{padding:calc(var(--gap)*1.5);border-radius:var(--radius);background:var(--bg)}" +
  ".block{justify-items:center}" +
  ".block>form,.block.success>.done{width:100%;max-width:60em}" +
  ".success>.done{place-self:stretch;place-content:center}";

const IMAGE_CSS: Record<ImagePlace, (width: string) => string> = {
  top: () => TOP,
  left: side(2),
  right: side(1),
  background: () => BACKGROUND,
};

function imageCss(place: ImagePlace, source: string, width: string): string {
  // A bar has no room for an image.
  if (source === "promo") return "[part=image]{display:none}";
  const css = `[part=image]{display:block;min-width:0;object-fit:cover;background:var(--tint)}${NO_BORDER}${
    IMAGE_CSS[place](width)
  }`;
  if (source !== "popup") return css;
  return `[part=image]{display:none}${DIALOG_SCREENS}{${css}}`;
}
