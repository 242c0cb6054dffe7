import { z } from "zod";
import { FORM_SOURCES, LAYOUTS } from "../../../../shared/contract.ts";
import { OPENING_KINDS, type OpeningKind } from "../../../../shared/opening_kinds.ts";
import { FORM_MEMBERS } from "../../../settings/schema/form_members.ts";
import type { Settings } from "../../../settings/schema/schema.ts";
import { suggestedFormId } from "../../frame/assets/suggested_name.js";

export const formName = z.string().max(64);

/** The title of a new form, and its ID if that is not to be made from the title. */
export const newFormInput = {
  title: FORM_MEMBERS.title.in.form,
  name: formName.nullish(),
};

/** Returns the IDs that a new form cannot have. The sources of signups would count together with it. */
export const takenIds = ({ forms: { forms } }: Pick<Settings, "forms">): string[] => [
  ...FORM_SOURCES,
  ...forms.map(({ name }) => name.toLowerCase()),
];

/** Returns the ID of a new form: the one that it is given, or one made from its title. */
export const idOfNew = (
  settings: Pick<Settings, "forms">,
  { name, title = "" }: { name?: string | null | undefined; title?: string | undefined },
): string => name || suggestedFormId(title, takenIds(settings));

const MAX_TITLE = 100;

/** The first half of a character such as an emoji, at the end of a text that was cut after it. */
const HALF_CHARACTER = /[\uD800-\uDBFF]$/;

const hasTitle = ({ forms: { forms } }: Pick<Settings, "forms">, title: string, but?: string): boolean =>
  forms.some(({ name, title: own = name }) => name !== but && own.toLowerCase() === title.toLowerCase());

/** Returns a title for a new form that no other has: with a number at the end if one has it. */
export function freeTitle(settings: Pick<Settings, "forms">, wanted: string): string {
  for (let number = 1;; number++) {
    const end = number === 1 ? "" : ` ${number}`;
    const title = wanted.slice(0, MAX_TITLE - end.length).replace(HALF_CHARACTER, "") + end;
    if (!hasTitle(settings, title)) return title;
  }
}

/**
 * Adds to the message about a form that another one has the same title.
 *
 * @param name the form's ID, unless it is new in these settings
 */
export function withSameTitle(
  message: string,
  settings: Pick<Settings, "forms">,
  title: string,
  name?: string,
): { message: string; tone?: "warn" } {
  if (!hasTitle(settings, title, name)) return { message };
  return {
    message: `${message} Another form has the same title: rename one to tell them apart.`,
    tone: "warn",
  };
}

/** What a new form can be: the layout where a page has it, or how it opens by itself. */
export const NEW_FORM_KINDS = [...LAYOUTS, ...OPENING_KINDS] as const;
export type NewFormKind = (typeof NEW_FORM_KINDS)[number];

const isOpening = (kind: NewFormKind): kind is OpeningKind => OPENING_KINDS.some((each) => each === kind);

/** Returns the settings of a form of this kind. One that opens by itself has the default rules. */
export const settingsOfKind = (kind: NewFormKind) =>
  isOpening(kind) ? { layout: "inline" as const, opens: { kind } } : { layout: kind };
