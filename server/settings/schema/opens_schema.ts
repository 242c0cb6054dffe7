import { z } from "zod";
import { oneLine } from "./one_line.ts";
import { OPENING_CORNERS, OPENING_KINDS, POPUP_WIDTHS } from "../../../shared/opening_kinds.ts";
import { isSimpleSelector, MAX_COMPOUNDS, MAX_SELECTORS } from "./simple_selector.ts";
import { targeting } from "./targeting_schema.ts";

/** The settings of forms that open by themselves: when, where, and as what. */

/** A page is searched for it after every change, so it must be one that takes no time. */
const selector = oneLine(500).refine((value) => value === "" || isSimpleSelector(value), {
  message:
    `must be a CSS selector of IDs, classes, attributes and types, such as #cookie-bar or div[role=dialog], ` +
    `with at most ${MAX_COMPOUNDS} of them in a row and ${MAX_SELECTORS} separated by commas; of the pseudo-classes, only :not() is allowed`,
});

/** Seconds on the page after which a form opens; 0 for no such trigger. */
export const openingDelay = z.number().min(0).max(3600);

/** The rules of one form. The contract's own rules always apply in addition. */
export const openingRules = {
  triggers: z.strictObject({
    delaySeconds: openingDelay.default(20),
    scrollPercent: z.number().min(0).max(100).default(0),
    exitIntent: z.boolean().default(false),
    inactiveSeconds: z.number().min(0).max(3600).default(0),
    seenSelector: selector.default(""),
    clickSelector: selector.default(""),
  }).prefault({}),
  hideDays: z.number().int().min(1).max(3650).default(30),
  cookieBarSelector: selector.default(""),
  excludePaths: z.array(oneLine(200)).max(200).default([]),
  targeting: targeting.default([]),
};

/** The width of a popup; the standard one if absent. */
export const popupWidth = z.enum(POPUP_WIDTHS).optional();

/** How a named form opens by itself. A form without it appears only where a page has it. */
export const opens = z.strictObject({
  kind: z.enum(OPENING_KINDS),
  /** For slide-ins. If absent, the corner at the end of lines. */
  corner: z.enum(OPENING_CORNERS).optional(),
  /** For popups. */
  width: popupWidth,
  ...openingRules,
});

/** Hours for which no form opens by itself after a visitor closed one; 0 for none. */
export const quietHours = z.number().int().min(0).max(24 * 365).default(24);
