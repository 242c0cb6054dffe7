import { parseConsent } from "./consent_text.ts";
import type { Layout } from "./contract.ts";
import type { PublicDesign } from "./design/public_design.ts";
import { type FormFrame, frameOf } from "./form_frame.ts";
import type { PublicSettings } from "./public_settings.ts";
import { type FormField, traitsOf } from "./fields/kinds.ts";
import { type FirstStep, orderOf } from "./fields/order.ts";
import { linesOf, type MeasuredText, measureText } from "./text_lines.ts";

/** Everything that the height of a form depends on, in one language. Empty texts are not shown. */
export interface FormContent extends
  Pick<
    PublicSettings,
    "nameField" | "interests" | "fields" | "order" | "consent" | "consentText" | "design"
  > {
  layout: Layout;
  heading: string;
  text: string;
  /** Label of the button, and its label while a signup is being sent; the button is as wide as the longer one. */
  button: string;
  sending: string;
  /** Absent if the form has one step. */
  steps?: FirstStep | undefined;
  /** Label of the button of the first of two steps. */
  next?: string;
  /** Texts of a countdown, of which it shows one at a time. */
  countdown?: string[];
  interestsLabel: string;
  /** Shown after the label of optional fields. */
  optional: string;
  /** Shown after the label of required groups. */
  required: string;
  /** The offer on a promo bar. */
  coupon?: string;
}

/** Sizes in CSS pixels, from the form's style sheets: form.css, fields.css and layout.css. */
const CONTROL = 46;
const LABEL_LINE = 21;
const LABEL_PADDING = 5.25;
const TARGET = 44;
const COLUMN_GAP = 48;
const CLOSE_BUTTON = 48;
const MIN_COLUMN = 192;
/** Width of bold text relative to regular text. */
const BOLD = 1.14;
/** Width of a monospaced text relative to the font that texts are measured in. */
const MONOSPACE = 1.25;

/** A form whose texts are measured. Absent fields are not shown. */
interface MeasuredForm {
  layout: Layout;
  design: PublicDesign;
  heading: MeasuredText;
  text: MeasuredText;
  coupon: MeasuredText;
  countdown: MeasuredText[];
  buttonLabels: MeasuredText[];
  steps: FirstStep | undefined;
  next: MeasuredText;
  name: boolean;
  interestsLabel: MeasuredText;
  interests: MeasuredText[];
  fields: (MeasuredField & { name: string })[];
  /** Names of the fields above the consent. */
  order: string[];
  consent: MeasuredText | undefined;
}

/** One of the form's other fields. */
interface MeasuredField {
  shape: "control" | "choices" | "tick";
  /** Whether it can be beside another. */
  isLine: boolean;
  label: MeasuredText;
  help: MeasuredText;
  options: MeasuredText[];
}

/**
 * Measures the texts of a form, and returns a function of the width, in CSS pixels, of the element that contains the
 * form. It returns an upper bound for the form's height, in CSS pixels, with the default fonts and sizes.
 */
export function formHeights(content: FormContent): (width: number) => number {
  const { layout, design = {} } = content;
  const scale = design.font === "monospace" ? MONOSPACE : 1;
  const measured = (text: string) => measureText(text, scale);
  const form: MeasuredForm = {
    layout,
    design,
    heading: measured(content.heading),
    text: measured(content.text),
    coupon: measured(layout === "promo" ? content.coupon ?? "" : ""),
    countdown: (content.countdown ?? []).map(measured),
    buttonLabels: [measured(content.button), measured(content.sending)],
    steps: content.steps,
    next: measured(content.next ?? ""),
    name: content.nameField !== "hidden",
    interestsLabel: measured(`${content.interestsLabel} (${content.optional})`),
    interests: content.interests.map(({ label }) => measured(label)),
    fields: (content.fields ?? []).filter(({ kind }) => kind !== "hidden")
      .map((field) => ({ name: field.name, ...measureField(field, content, measured) })),
    order: orderOf(content.order ?? [], content.fields ?? []),
    consent: content.consent === "off" ? undefined : measured(
      withoutLinks(content.consentText) + (content.consent === "optional" ? ` (${content.optional})` : ""),
    ),
  };
  return (width) => heightOf(form, width);
}

const withoutLinks = (consentText: string) => parseConsent(consentText).map(({ text }) => text).join("");

function measureField(
  { kind, label, help = "", required, withoutYear, options = [] }: FormField,
  texts: Pick<FormContent, "optional" | "required">,
  measured: (text: string) => MeasuredText,
): MeasuredField {
  const { control } = traitsOf(kind);
  const shape = control === "checkbox"
    ? "tick"
    : control === "radio" || control === "checkboxes"
    ? "choices"
    : "control";
  const shown = kind === "consent" ? withoutLinks(label) : label;
  const isGroup = shape === "choices" || withoutYear;
  return {
    shape,
    isLine: shape === "control" && !withoutYear,
    label: measured(
      required && !isGroup ? shown : `${shown} (${required ? texts.required : texts.optional})`,
    ),
    help: measured(help),
    options: options.map(({ label }) => measured(label)),
  };
}

function heightOf(form: MeasuredForm, width: number): number {
  const frame = frameOf(form.layout, form.design, width);
  const { heading: scale = 1 } = form.design;
  const headingSize = {
    inline: () => scale * 24,
    block: () => scale * clamp(24, 16 + 0.02 * width, 34),
    promo: () => 17,
  }[form.layout]();
  const contents = (frame.twoColumns ? arranged : stacked)(form, frame, headingSize);
  return Math.max(frame.above + frame.padding + contents, frame.beside);
}

const clamp = (min: number, value: number, max: number) => Math.min(Math.max(min, value), max);

/** Returns the height of a form whose texts are beside its fields. */
function arranged(form: MeasuredForm, { inner, gap }: FormFrame, headingSize: number): number {
  const room = form.layout === "promo" ? inner - CLOSE_BUTTON : inner;
  const column = (room - COLUMN_GAP) / 2;
  return Math.max(textsHeight(form, column, headingSize), fieldsHeight(form, column, gap));
}

/** Returns the height of a form whose texts are above its fields. */
function stacked(form: MeasuredForm, { inner, gap }: FormFrame, headingSize: number): number {
  const texts = textsHeight(form, inner, headingSize);
  return (texts && texts + gap) + fieldsHeight(form, inner, gap);
}

function textsHeight(
  { layout, heading, text, coupon, countdown }: MeasuredForm,
  width: number,
  headingSize: number,
): number {
  const promo = layout === "promo";
  const room = promo ? width - CLOSE_BUTTON : width;
  const size = promo ? 15 : 16;
  const paragraph = (text: MeasuredText, weight = 1) => linesOf(text, room / (size * weight)) * size * 1.5;
  const headingLines = linesOf(heading, room / (headingSize * BOLD));
  return headingLines * headingSize * 1.2 + (headingLines && !promo ? headingSize * 0.375 : 0) +
    paragraph(text) + paragraph(coupon, BOLD) +
    24 * Math.max(0, ...countdown.map((text) => linesOf(text, room / (16 * BOLD))));
}

function fieldsHeight(form: MeasuredForm, width: number, gap: number): number {
  const field = LABEL_LINE + LABEL_PADDING + CONTROL;
  const backRow = TARGET + gap;
  if (!form.name && form.interests.length === 0 && form.fields.length === 0 && !form.consent) {
    // With the email address in the first step, there would be nothing in the second.
    return field + (buttonFitsBeside(form, width) ? 0 : 10 + CONTROL) +
      (form.steps === "button" ? backRow : 0);
  }
  const column = columnWidth(form, width, gap);
  // In a column, the labels of the contract's fields take two lines in some languages.
  const fixed = { isLine: true, height: (width: number) => width === column ? field + LABEL_LINE : field };
  const parts: Record<string, FormPart> = { email: fixed };
  if (form.name) parts["name"] = fixed;
  if (form.interests.length > 0) {
    const label = linesOf(form.interestsLabel, width / (14 * BOLD)) * LABEL_LINE + LABEL_PADDING;
    parts["interests"] = { isLine: false, height: (width) => label + interestsHeight(form.interests, width) };
  }
  for (const each of form.fields) {
    parts[each.name] = { isLine: each.isLine, height: (width) => fieldHeight(each, width) };
  }
  if (form.steps === "email") delete parts["email"];
  const heights = rowHeights(form.order.flatMap((name) => parts[name] ?? []), width, column);
  if (form.consent) heights.push(tickHeight(form.consent, width));
  heights.push(buttonHeight(form.buttonLabels, width));
  const all = heights.reduce((sum, height) => sum + gap + height);
  return form.steps ? Math.max(all + backRow, field + 10 + buttonHeight([form.next], width)) : all;
}

function buttonHeight(labels: MeasuredText[], width: number): number {
  const lines = labels.map((label) => linesOf(label, (width - 46) / (16 * BOLD)));
  return Math.max(CONTROL, 18 + 24 * Math.max(...lines));
}

interface FormPart {
  /** Whether it can be beside another. */
  isLine: boolean;
  height(width: number): number;
}

/** Returns the width of each of two columns; undefined if there is only one. As in design/css.ts. */
function columnWidth({ design, layout }: MeasuredForm, width: number, gap: number): number | undefined {
  const column = (width - gap) / 2;
  return design.columns && layout !== "promo" && column >= MIN_COLUMN ? column : undefined;
}

/** Returns the heights of rows with one field, or with two beside each other. */
function rowHeights(parts: readonly FormPart[], width: number, column: number | undefined): number[] {
  const heights: number[] = [];
  for (let i = 0; i < parts.length; i++) {
    const [before, part, next] = [parts[i - 1], parts[i]!, parts[i + 1]];
    if (column === undefined || !part.isLine || !(before?.isLine || next?.isLine)) {
      heights.push(part.height(width));
    } else if (next?.isLine) {
      heights.push(Math.max(part.height(column), next.height(column)));
      i++;
    } else {
      heights.push(part.height(column));
    }
  }
  return heights;
}

function fieldHeight({ shape, label, help, options }: MeasuredField, width: number): number {
  const helpLines = linesOf(help, width / 14);
  const helpHeight = helpLines && LABEL_PADDING + LABEL_LINE * helpLines;
  if (shape === "tick") return tickHeight(label, width) + helpHeight;
  const labelHeight = linesOf(label, width / (14 * BOLD)) * LABEL_LINE + LABEL_PADDING;
  if (shape === "control") return labelHeight + CONTROL + helpHeight;
  // Help is a row of its own among the options.
  return labelHeight + interestsHeight(options, width) + (helpHeight && helpHeight + 8);
}

function tickHeight(label: MeasuredText, width: number): number {
  return Math.max(TARGET, 12 + LABEL_LINE * linesOf(label, (width - 30) / 14));
}

/** The email field is at least 14em wide and the button as wide as its label, or each gets a row of its own. */
function buttonFitsBeside({ buttonLabels }: MeasuredForm, width: number): boolean {
  const label = Math.max(...buttonLabels.map(({ width }) => width)) * 16 * BOLD;
  return 14 * 16 + 10 + 46 + label <= width;
}

/** Interests are laid out in rows, with as many in each as fit. */
function interestsHeight(labels: MeasuredText[], width: number): number {
  const BESIDE_LABEL = 60;
  const GAP = 8;
  const rows: number[] = [];
  let used = Infinity;
  for (const label of labels) {
    const needed = BESIDE_LABEL + label.width * 16;
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
