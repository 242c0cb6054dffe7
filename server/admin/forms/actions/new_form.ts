import { LAYOUTS } from "../../../../shared/contract.ts";
import { OPENING_KINDS, type OpeningKind } from "../../../../shared/opening_kinds.ts";

/** What a new form can be: the layout where a page has it, or how it opens by itself. */
export const NEW_FORM_KINDS = [...LAYOUTS, ...OPENING_KINDS] as const;
export type NewFormKind = (typeof NEW_FORM_KINDS)[number];

const isOpening = (kind: NewFormKind): kind is OpeningKind => OPENING_KINDS.some((each) => each === kind);

/** Returns the settings of a form of this kind. One that opens by itself has the default rules. */
export const settingsOfKind = (kind: NewFormKind) =>
  isOpening(kind) ? { layout: "inline" as const, opens: { kind } } : { layout: kind };
