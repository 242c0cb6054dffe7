import { parseConsent } from "./consent_text.ts";
import type { Layout } from "./contract.ts";
import type { PublicSettings } from "./public_settings.ts";

/** Everything that the height of a form depends on, in one language. Empty texts are not shown. */
export interface FormContent
  extends Pick<PublicSettings, "nameField" | "interests" | "consent" | "consentText"> {
  layout: Layout;
  heading: string;
  text: string;
  /** Label of the button, and its label while a signup is being sent; the button is as wide as the longer one. */
  button: string;
  sending: string;
  interestsLabel: string;
  /** The offer on a promo bar. */
  coupon?: string;
}

/**
 * Widths of characters, in em: averages over each class in DejaVu Sans, rounded up. It is wider than the system fonts
 * of Windows, macOS, Android and iOS.
 */
const CHARACTER_WIDTHS: readonly (readonly [characters: RegExp, em: number])[] = [
  [/[\sfijlrtI.,:;!'’|()\[\]-]/, 0.36],
  [/[mwMW@%…—]/, 0.98],
  [/[a-z]/, 0.61],
  [/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Emoji_Presentation}]/u, 1],
  [/\p{Lu}/u, 0.72],
  [/./su, 0.65],
];
const SPACE = 0.36;
const BOLD = 1.14;

/** Sizes in CSS pixels, from the form's style sheets: form.css, fields.css and layout.css. */
const GAP = 18;
const PROMO_GAP = 12;
const BORDERS = 2;
const CONTROL = 46;
const LABEL_LINE = 21;
const LABEL_PADDING = 5.25;
const TARGET = 44;
const MAX_INLINE_WIDTH = 544;
const MIN_TWO_COLUMNS = 736;
const COLUMN_GAP = 48;
const CLOSE_BUTTON = 48;

/**
 * Returns an upper bound for the height of a form, in CSS pixels, with the default fonts and sizes.
 *
 * @param width width of the element that contains the form, in CSS pixels
 */
export function formHeight(content: FormContent, width: number): number {
  const { layout } = content;
  if (layout === "inline") {
    const padding = 2 * 31.5 + BORDERS;
    return padding + stacked(content, Math.min(width, MAX_INLINE_WIDTH) - padding, 24, GAP);
  }
  if (layout === "block") {
    const padding = 2 * clamp(28, 0.06 * width, 64) + BORDERS;
    const headingSize = clamp(24, 16 + 0.02 * viewportOf(width), 34);
    return padding + arranged(content, width - padding, headingSize, GAP);
  }
  return 14 + 16 + BORDERS + arranged(content, width - 2 * 24, 17, PROMO_GAP);
}

const clamp = (min: number, value: number, max: number) => Math.min(Math.max(min, value), max);

/** The heading grows with the viewport. On larger screens, a narrow section can be in a wide viewport. */
const viewportOf = (width: number) => width > 600 ? 900 : width + 64;

/** The texts are beside the fields if there is room for both, and otherwise above them. */
function arranged(content: FormContent, width: number, headingSize: number, gap: number): number {
  if (width < MIN_TWO_COLUMNS) return stacked(content, width, headingSize, gap);
  const room = content.layout === "promo" ? width - CLOSE_BUTTON : width;
  const column = (room - COLUMN_GAP) / 2;
  return Math.max(textsHeight(content, column, headingSize), fieldsHeight(content, column, gap));
}

function stacked(content: FormContent, width: number, headingSize: number, gap: number): number {
  const texts = textsHeight(content, width, headingSize);
  return (texts && texts + gap) + fieldsHeight(content, width, gap);
}

function textsHeight(
  { layout, heading, text, coupon }: FormContent,
  width: number,
  headingSize: number,
): number {
  const promo = layout === "promo";
  const room = promo ? width - CLOSE_BUTTON : width;
  const size = promo ? 15 : 16;
  const paragraph = (text = "", weight = 1) => linesOf(text, room / (size * weight)) * size * 1.5;
  const headingLines = linesOf(heading, room / (headingSize * BOLD));
  return headingLines * headingSize * 1.2 + (headingLines && !promo ? headingSize * 0.375 : 0) +
    paragraph(text) + (promo ? paragraph(coupon, BOLD) : 0);
}

function fieldsHeight(content: FormContent, width: number, gap: number): number {
  const { nameField, interests, interestsLabel, consent, consentText } = content;
  const field = LABEL_LINE + LABEL_PADDING + CONTROL;
  if (nameField === "hidden" && interests.length === 0 && consent === "off") {
    return field + (buttonFitsBeside(content, width) ? 0 : 10 + CONTROL);
  }
  const heights = [field];
  if (nameField !== "hidden") heights.push(field);
  if (interests.length > 0) {
    const label = linesOf(interestsLabel, width / (14 * BOLD)) * LABEL_LINE + LABEL_PADDING;
    heights.push(label + interestsHeight(interests.map(({ label }) => label), width));
  }
  if (consent !== "off") {
    const text = parseConsent(consentText).map(({ text }) => text).join("");
    heights.push(Math.max(TARGET, 12 + LABEL_LINE * linesOf(text, (width - 30) / 14)));
  }
  const button = 18 + 24 * linesOf(content.button, (width - 46) / (16 * BOLD));
  heights.push(Math.max(CONTROL, button));
  return heights.reduce((sum, height) => sum + gap + height);
}

/** The email field is at least 14em wide and the button as wide as its label, or each gets a row of its own. */
function buttonFitsBeside({ button, sending }: FormContent, width: number): boolean {
  const label = Math.max(widthOf(button), widthOf(sending)) * 16 * BOLD;
  return 14 * 16 + 10 + 46 + label <= width;
}

/** Interests are laid out in rows, with as many in each as fit. */
function interestsHeight(labels: string[], width: number): number {
  const BESIDE_LABEL = 60;
  const GAP = 8;
  const rows: number[] = [];
  let used = Infinity;
  for (const label of labels) {
    const needed = BESIDE_LABEL + widthOf(label) * 16;
    const lines = linesOf(label, (width - BESIDE_LABEL) / 16);
    const height = Math.max(TARGET, 18 + 24 * lines);
    if (used + GAP + needed > width) {
      rows.push(height);
      used = needed;
    } else {
      rows.push(Math.max(rows.pop()!, height));
      used += GAP + needed;
    }
  }
  return rows.reduce((sum, height) => sum + GAP + height);
}

/** Returns an upper bound for the width of a text, in em. */
function widthOf(text: string): number {
  let width = 0;
  for (const character of text) {
    width += CHARACTER_WIDTHS.find(([characters]) => characters.test(character))![1];
  }
  return width;
}

/**
 * Returns the number of lines of a text that breaks at spaces, and inside words that are longer than a line.
 *
 * @param lineWidth in em
 */
function linesOf(text: string, lineWidth: number): number {
  if (text === "") return 0;
  const room = Math.max(lineWidth, 1);
  let lines = 1;
  let used = 0;
  for (const word of text.split(/\s+/)) {
    let width = widthOf(word);
    if (used > 0 && used + SPACE + width > room) {
      lines++;
      used = 0;
    }
    for (; width > room; width -= room) lines++;
    used += (used && SPACE) + width;
  }
  return lines;
}
