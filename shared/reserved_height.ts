import { type FormContent, formHeights } from "./form_height.ts";

/** Heights to reserve for a form, in whole CSS pixels, by the width of the page. */
export interface ReservedHeights {
  /** Pages up to 600 px wide. */
  narrow: number;
  /** Pages up to 1040 px wide. */
  medium: number;
  wide: number;
}

/**
 * Widths of a form on such pages, in CSS pixels: from a page of 320 pixels, with a scroll bar and margins, to the widest at which a
 * form still gets taller.
 */
const FORM_WIDTHS = { narrow: [272, 600], medium: [560, 1040], wide: [992, 1600] } as const;
const STEP_PX = 8;

/**
 * Returns heights that are enough for a form, in whichever of the languages its page is. A form fills the height that
 * is reserved for it, so a form that needs less shifts nothing.
 *
 * @param contents the form in each language
 */
export function reservedHeights(contents: readonly FormContent[]): ReservedHeights {
  const forms = contents.map(formHeights);
  const highest = ([from, to]: readonly [number, number]) => {
    let height = 0;
    for (let width = from; width <= to; width += STEP_PX) {
      for (const heightAt of forms) height = Math.max(height, heightAt(width));
    }
    return Math.ceil(height);
  };
  return {
    narrow: highest(FORM_WIDTHS.narrow),
    medium: highest(FORM_WIDTHS.medium),
    wide: highest(FORM_WIDTHS.wide),
  };
}

/**
 * Returns the CSS that reserves the height of a form.
 *
 * @param selector matches the form, such as `cfbe-form[form="footer"]`
 * @param inColumn whether the form is in an element with `container-type: inline-size`, which can be narrower than
 * the page. Browsers without container queries reserve by the width of the page.
 */
export function reservedHeightRule(
  selector: string,
  { narrow, medium, wide }: ReservedHeights,
  inColumn = false,
): string {
  // A promo bar that the visitor closed is hidden, and must not reserve anything.
  const forms = `${selector}:not([hidden])`;
  const queries = inColumn ? ["@media", "@container"] : ["@media"];
  const step = (maxWidth: number, height: number) =>
    queries.map((query) =>
      `\n${query} (max-width: ${maxWidth}px) {\n  ${forms} {\n    --cfbe-min-height: ${height}px;\n  }\n}`
    ).join("");
  return `${forms} {
  display: block;
  --cfbe-min-height: ${wide}px;
  min-height: var(--cfbe-min-height);
}${medium === wide ? "" : step(1040, medium)}${narrow === medium ? "" : step(600, narrow)}`;
}

/**
 * Returns the CSS for a form that may stay hidden: it takes no space until it is shown. The link inside, for visitors
 * without JavaScript, takes none with JavaScript.
 *
 * @param selector matches the form
 */
export function noHeightRule(selector: string): string {
  return `${selector}:not([hidden]) {
  display: block;
}
@media (scripting: enabled) {
  ${selector} > * {
    display: none;
  }
}`;
}
