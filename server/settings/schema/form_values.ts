import { z } from "zod";
import { PLACED_PARTS } from "../../../shared/fields/order.ts";
import { PAGE_VALUE_NAMES, type PageValueName } from "../../../shared/page_values.ts";
import { en } from "../../../shared/texts/en.ts";
import type { Texts } from "../../../shared/texts/texts.ts";
import { MAX_FIELDS } from "./field_schema.ts";
import { CHECKED_TEXTS, type FormText, isFormText } from "./form_texts.ts";
import { oneLine } from "./one_line.ts";

/** The schemas of what forms consist of, whichever form has it. */

export const listId = oneLine(200);

const TAGS_MAX_BYTES = 1000;
export const TAGS_TOO_LONG =
  `must not exceed ${TAGS_MAX_BYTES} bytes in total, because they are part of every signup`;

/** Returns whether a form's tags leave room for the rest of a signup's 4 KB. */
export function fitInSignup(tags: readonly string[]): boolean {
  return new TextEncoder().encode(tags.join("")).length <= TAGS_MAX_BYTES;
}

const tag = z.string().trim().regex(/^[\p{L}\p{N}][\p{L}\p{N} _.:-]{0,63}$/u, "must be a short plain word");
export const tags = z.array(tag).max(20).refine(fitInSignup, TAGS_TOO_LONG);

/** Links are written `[label](https://…)`. Everything else is text, never HTML. */
export const CONSENT_TEXT_MAX_CHARACTERS = 2000;

type TextName = keyof Texts;
const textNames = Object.keys(en.form) as TextName[];

type OwnTextName = Exclude<TextName, FormText | "noForm" | "formOff">;
/** The texts of a form besides `FORM_TEXTS`. `noForm` and `formOff` are shown where there is no form. */
export const OWN_TEXT_NAMES = textNames.filter((name): name is OwnTextName =>
  name !== "noForm" && name !== "formOff" && !isFormText(name)
);

function textsOf<Name extends string>(names: readonly Name[]) {
  return z.strictObject(
    Object.fromEntries(names.map((name) => [name, oneLine(1000).optional()])) as {
      [K in Name]: z.ZodOptional<z.ZodString>;
    },
  );
}

export const allTexts = textsOf(textNames);
export const ownTexts = textsOf(OWN_TEXT_NAMES);
export const checkedTexts = textsOf(CHECKED_TEXTS);

export const interests = z.array(z.strictObject({ tag, label: oneLine(100) })).max(50);

/** Names of fields, and of the form's parts among them (`PLACED_PARTS`). Unknown ones are ignored: fields can be removed. */
export const order = z.array(z.string().regex(/^[a-z][a-z0-9_]{0,31}$/, "must be the name of a field"))
  .max(MAX_FIELDS + PLACED_PARTS.length)
  .refine((names) => new Set(names).size === names.length, "has a field twice");

/** Names of the fields at the provider that store the values of a signup's page. An empty one is not sent. */
export const attributionFields = z.strictObject(
  Object.fromEntries(PAGE_VALUE_NAMES.map((name) => [name, oneLine(100).default("")])) as Record<
    PageValueName,
    z.ZodDefault<z.ZodString>
  >,
);
