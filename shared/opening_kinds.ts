/** How a form can open by itself. `popup` is a modal dialog; the others leave the page usable. */
export const OPENING_KINDS = ["popup", "slide-in", "bar-top", "bar-bottom"] as const;
export type OpeningKind = (typeof OPENING_KINDS)[number];

/** Where a slide-in can be, other than in the lower corner at the end of lines: at their start. */
export const OPENING_CORNERS = ["start"] as const;
type OpeningCorner = (typeof OPENING_CORNERS)[number];

/** How wide a popup can be, other than the standard width. On phones, all popups are as wide as the window. */
export const POPUP_WIDTHS = ["wide"] as const;
export type PopupWidth = (typeof POPUP_WIDTHS)[number];

/** What a kind can have that others do not. */
export interface OpeningLooks {
  /** The corner of a slide-in. Absent for the one at the end of lines. */
  corner?: OpeningCorner;
  /** The width of a popup. Absent for the standard one. */
  width?: PopupWidth;
}

/** The kind that has each of them. */
export const KIND_OF_LOOK: Record<keyof OpeningLooks, OpeningKind> = { corner: "slide-in", width: "popup" };
