/** How a form can open by itself. `popup` is a modal dialog; the others leave the page usable. */
export const OPENING_KINDS = ["popup", "slide-in", "bar-top", "bar-bottom"] as const;
export type OpeningKind = (typeof OPENING_KINDS)[number];
