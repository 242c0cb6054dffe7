import type { FormText } from "../../settings/schema/form_texts.ts";

/** IDs of the ready forms, in the order of the gallery. */
export const READY_FORM_IDS = [
  "newsletter",
  "article-end",
  "coupon-popup",
  "waitlist",
  "event",
  "lead-magnet",
  "back-in-stock",
  "exit-popup",
  "deadline-bar",
  "two-step-popup",
] as const;
export type ReadyFormId = (typeof READY_FORM_IDS)[number];

/** Texts of one ready form in one language. A text that is left out is the built-in one of all forms. */
type ReadyText = { heading: string; texts?: { next: string } } & { [Name in FormText]?: string };

/** Texts of all ready forms in one language. */
export type ReadyTexts = Record<ReadyFormId, ReadyText>;
