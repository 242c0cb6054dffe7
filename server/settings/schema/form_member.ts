/** What a member of a form is. `form_members.ts` declares them all. */
import { z } from "zod";
import type { SettingAbout } from "../../platform/config/setting.ts";
import { oneLine } from "./one_line.ts";

/**
 * The layers of the settings that can have a member: the defaults of all forms, every form and the popup (`own`), only
 * named forms, only the popup, a translation of a form, and a variant of an experiment.
 */
export type MemberLayer = "defaults" | "own" | "form" | "popup" | "translation" | "variant";

/**
 * One thing that a form has. Settings, editors, drafts, exports and public settings derive from it. Its label is that
 * among the inputs of its section.
 */
export interface FormMember
  extends Pick<SettingAbout, "label" | "help" | "choices" | "placeholder" | "unit" | "code"> {
  /**
   * Its schema in each layer that can have it. One with `defaults` and `own` is inherited: a form without a value of its own
   * has the default. One with `translation` can differ by language, one with `variant` in an experiment.
   */
  in: Partial<Record<MemberLayer, z.ZodType>>;
  /** What it is called elsewhere, if the label needs its section to be understood. */
  title?: string;
  /** The help for a form's own value, a translation, or a variant, if it is another one. */
  helpIn?: { own?: string; translation?: string; variant?: string };
  /** The part of the editors that it is in. */
  section: FormSection;
  /** What the editors render in place of the input that follows from its schema. */
  editor?: MemberEditor;
  /** The capability that changes it. */
  capability: "forms" | "settings";
  /** False if its editor says itself what a form inherits. */
  ownValue?: false;
  /** Whether its value has members of this table, too. */
  hasMembers?: true;
  /** What a form without it shows, in words. */
  without?: string;
  /** Whether its text can have several lines. */
  lines?: true;
  suggestion?: Suggestion;
  /** False if it has actions of its own, which act at once: it is not part of a draft. */
  drafted?: false;
  /** False if it belongs to the installation, and not to an exported form. */
  exported?: false;
  /** False if visitors do not see it: a change of it treats all variants of an experiment alike. */
  seen?: false;
}

/** Returns the layers of a member that forms inherit. */
export const inherited = <Schema extends z.ZodType>(schema: Schema, value: z.output<Schema>) => ({
  defaults: schema.default(value as never),
  own: schema.optional(),
});

/** Returns the layers of a text that differs by language and by variant. An empty one is not shown. */
export const text = (max: number) => ({
  own: oneLine(max).optional(),
  translation: oneLine(max).optional(),
  variant: oneLine(max).optional(),
});

/** A text that an empty one begins with, for people to change. It is needed while the member `with` has any value but `unless`. */
export interface Suggestion {
  text: string;
  with: string;
  unless: string;
  /** The value of that member which a button gives it together with the text, and what the button says before the text. */
  on: string;
  add: string;
  /** What is said while the text is empty. */
  missing: string;
}

/** The inputs that have more to them than a schema says. `texts` are spread over the sections. */
export type MemberEditor =
  | "title"
  | "list"
  | "texts"
  | "language"
  | "interests"
  | "fields"
  | "order"
  | "page-values"
  | "targeting"
  | "opens"
  | "triggers"
  | "status"
  | "schedule"
  | "countdown"
  | "countdown-after";

/** The parts of the editors. */
export type FormSection =
  | "placement"
  | "destination"
  | "heading"
  | "text"
  | "countdown"
  | "button"
  | "content"
  | "name"
  | "interests"
  | "fields"
  | "order"
  | "consent"
  | "after-signup"
  | "sources"
  | "existing"
  | "disposable"
  | "design"
  | "image"
  | "targeting"
  | "opens"
  | "trigger"
  | "exclusions"
  | "status"
  | "experiment";

/** Returns what a member is called where its section does not say it. */
export const memberTitle = ({ title, label }: FormMember): string => title ?? label;

/** Returns the schema of a member's values, in whichever layer they are. */
export function valueSchema(member: FormMember): z.ZodType {
  let schema = Object.values(member.in)[0]!;
  while (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault) {
    schema = schema.unwrap() as z.ZodType;
  }
  return schema;
}
