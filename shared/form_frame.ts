import type { Layout } from "./contract.ts";
import { sizeOfImage } from "./design/image_id.ts";
import type { PublicDesign } from "./design/public_design.ts";
import { GAPS } from "./design/tokens.ts";

/**
 * What is around the texts and fields of a form. All sizes are in CSS pixels, from the form's style sheets: form.css,
 * layout.css and design/css.ts.
 */
export interface FormFrame {
  /** Width of the room for texts and fields. */
  inner: number;
  /** Padding and borders, above and below. */
  padding: number;
  /** Whether the texts are beside the fields. */
  twoColumns: boolean;
  /** Space between texts and fields, and between fields. */
  gap: number;
  /** Height of an image above the form. */
  above: number;
  /** Height of an image beside the form. */
  beside: number;
}

const FONT_SIZE = 16;
const BORDERS = 2;
const MAX_INLINE_WIDTH = 544;
const MIN_TWO_COLUMNS = 736;
const PROMO = { padding: 14 + 16, inline: 2 * 24, gap: 12 };
const IMAGE = {
  maxHeight: 192,
  /** Height, width of the form's box, the smallest box, and the form's share of it, with an image beside the form. */
  side: {
    height: 256,
    maxWidth: { 1: 736, 2: 896 },
    inline: { minWidth: 600, share: 3 / 5 },
    block: { minWidth: 1100, share: 2 / 3 },
  },
  /** Width of a panel in front of an image. */
  maxPanel: 960,
};
/** Width of a block's form with fields in two columns. */
const MAX_BLOCK_COLUMNS = 736;

/** Returns the frame of a form in an element of this width. */
export function frameOf(layout: Layout, design: PublicDesign, width: number): FormFrame {
  const gap = FONT_SIZE * (design.gap ?? GAPS.normal);
  if (layout === "promo") {
    const inner = width - PROMO.inline;
    const padding = PROMO.padding + BORDERS;
    return { inner, padding, twoColumns: inner >= MIN_TWO_COLUMNS, gap: PROMO.gap, above: 0, beside: 0 };
  }
  const place = design.image?.place;
  const isAtSide = place === "left" || place === "right";
  const isBlock = layout === "block";
  const { minWidth, share } = IMAGE.side[isBlock ? "block" : "inline"];
  const isBeside = isAtSide && width >= minWidth;
  const maxWidth = isBeside ? IMAGE.side.maxWidth[design.columns ?? 1] : MAX_INLINE_WIDTH;
  const box = (isBlock ? width : Math.min(width, maxWidth)) - BORDERS;
  const padding = isBlock ? 2 * Math.min(Math.max(20, 0.06 * width), 64) : 2 * 1.75 * gap;
  const isInside = isAtSide || place === "top";
  const sides = isBlock || isInside ? padding : Math.min(padding, 2 * 0.08 * width);
  const panel = place === "background" ? 2 * 1.5 * gap : 0;
  const maxForm = isBlock && design.columns ? MAX_BLOCK_COLUMNS : panel ? IMAGE.maxPanel : Infinity;
  const form = (isBeside ? box * share : box) - (isInside ? 0 : sides);
  const inner = Math.min(form, maxForm) - (isInside ? sides : panel);
  const columnsFit = !design.columns && (isInside ? box : form) >= MIN_TWO_COLUMNS;
  return {
    inner,
    padding: padding + panel + BORDERS,
    twoColumns: isBlock && columnsFit,
    gap,
    above: design.image && place !== "background" && !isBeside ? heightAbove(design.image.id, box) : 0,
    beside: isBeside ? IMAGE.side.height + BORDERS : 0,
  };
}

function heightAbove(id: string, boxWidth: number): number {
  const { width, height } = sizeOfImage(id);
  return Math.min(IMAGE.maxHeight, boxWidth * height / width);
}
