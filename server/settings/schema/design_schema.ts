import { z } from "zod";
import type { Color } from "../../../shared/design/color.ts";
import {
  COLUMNS,
  type Columns,
  FONTS,
  type FormDesign,
  GAPS,
  HEADING_SIZES,
  IMAGE_PLACES,
  PRESETS,
  RADII,
} from "../../../shared/design/tokens.ts";

/** The settings of a form's design. Their values reach style sheets, so each is one of a few, or has a strict form. */

/** As design tools copy it: with or without `#`, with six digits or three. */
const color = z.string("must be a color").trim().toLowerCase().regex(
  /^#?(?:[0-9a-f]{3}|[0-9a-f]{6})$/,
  "must be a color such as #2b46d6",
).transform((color) => withSixDigits(color.replace("#", ""))).optional();

const withSixDigits = (digits: string): Color =>
  `#${digits.length === 3 ? digits.replaceAll(/./g, (digit) => digit + digit) : digits}`;

/** A number; forms of the admin send it as text. */
const columns = z.union([
  z.literal(COLUMNS),
  z.enum(["1", "2"]).transform((text) => Number(text) as Columns),
], "must be 1 or 2");

const namesOf = <Table extends Record<string, unknown>>(table: Table) =>
  Object.keys(table) as [keyof Table & string, ...(keyof Table & string)[]];

/** ID of an image: the hash of its bytes, and its width and height in pixels. */
export const imageId = z.string().regex(
  /^[A-Za-z0-9_-]{22}-[1-9][0-9]{0,3}x[1-9][0-9]{0,3}$/,
  "must be the ID of an uploaded image",
);

const designImage = z.strictObject({
  id: imageId,
  alt: z.string().trim().max(300, "must be 300 characters or less"),
  place: z.enum(IMAGE_PLACES),
});

export const formDesign = z.strictObject({
  preset: z.enum(PRESETS).optional(),
  accent: color,
  background: color,
  text: color,
  accentDark: color,
  backgroundDark: color,
  textDark: color,
  radius: z.enum(namesOf(RADII)).optional(),
  font: z.enum(namesOf(FONTS)).optional(),
  spacing: z.enum(namesOf(GAPS)).optional(),
  headingSize: z.enum(namesOf(HEADING_SIZES)).optional(),
  columns: columns.optional(),
  image: z.union([z.literal("none"), designImage]).optional(),
}) satisfies z.ZodType<FormDesign>;

/** What the members of a design are called. */
export const DESIGN_LABELS: Record<keyof FormDesign, string> = {
  preset: "Preset",
  accent: "Accent, light",
  background: "Background, light",
  text: "Text, light",
  accentDark: "Accent, dark",
  backgroundDark: "Background, dark",
  textDark: "Text, dark",
  radius: "Corners",
  font: "Font",
  spacing: "Spacing",
  headingSize: "Heading size",
  columns: "Columns",
  image: "Image",
};
