import { z } from "zod";
import { oneLine } from "./one_line.ts";
import {
  CHARACTER_SETS,
  FIELD_KIND_NAMES,
  type FieldKind,
  HIDDEN_SOURCES,
  traitsOf,
} from "../../../shared/fields/kinds.ts";
import { TEXT_MAX_CHARACTERS } from "../../../shared/fields/validate.ts";
import { FIELD_NAMES } from "../../../shared/contract.ts";

/** The settings of a form's fields, besides those of the contract. */

export const MAX_FIELDS = 20;
/** The hash of each consent text is part of the signed configuration, and with it of every signup. */
const MAX_CONSENTS = 5;
const MAX_OPTIONS = 100;

/** Names with another meaning: the contract's fields, and a member that every object has. */
const RESERVED: readonly string[] = [...FIELD_NAMES, "constructor"];

const name = z.string().min(1, "enter a name, or keep the suggested one").regex(
  /^[a-z][a-z0-9_]{0,31}$/,
  "must start with a letter and have at most 32 lower-case letters, digits and _",
).refine((name) => !RESERVED.includes(name), "is reserved: choose another name");

/** An empty field of the admin is a limit that is not set. */
const limit = z.preprocess(
  (value) => value === "" || value === null ? undefined : value,
  z.number("must be a number").min(-1e12).max(1e12).optional(),
);

const label = oneLine(2000);
const help = oneLine(300);

const field = z.strictObject({
  name,
  kind: z.enum(FIELD_KIND_NAMES),
  /** Empty: the built-in label of the kind. The text of a consent. */
  label: label.default(""),
  help: help.default(""),
  required: z.boolean().default(false),
  /** Each is the stored value, and the text that visitors read unless it is translated. */
  options: z.array(oneLine(100).min(1)).max(MAX_OPTIONS, `must have at most ${MAX_OPTIONS} entries`).default(
    [],
  )
    .refine((options) => new Set(options).size === options.length, "has an option twice"),
  min: limit,
  max: limit,
  characters: z.enum(CHARACTER_SETS).default("any"),
  withoutYear: z.boolean().default(false),
  /** Where a hidden field gets its value: see `FormField`. */
  from: z.enum(HIDDEN_SOURCES).default("query"),
  key: z.string().regex(/^([a-z][a-z0-9_-]{0,63})?$/, "must be a short name such as utm_source").default(""),
  /** Name of the field at the provider; empty for the field's own name. */
  provider: oneLine(100).default(""),
}).superRefine((field, context) => {
  const report = (path: string, message: string) =>
    context.addIssue({ code: "custom", path: [path], message });
  const { kind, min, max } = field;
  const { hasOptions, label, limits } = traitsOf(kind);
  if (hasOptions && field.options.length === 0) report("options", "must have at least one option");
  if (field.label === "" && label === undefined && kind !== "hidden") report("label", withoutLabel(field));
  if (kind === "hidden" && field.required) {
    report("required", "must be false: visitors cannot fill in this field");
  }
  if (kind === "hidden" && field.from !== "referrer" && field.key === "") report("key", "must not be empty");
  if (min !== undefined && max !== undefined && min > max) report("max", "must not be less than the lowest");
  if (limits === "value" && (min === undefined) !== (max === undefined)) {
    report(
      min === undefined ? "min" : "max",
      "set both limits or none, because the error message names both",
    );
  }
  if (limits === "characters") {
    for (const [path, value] of [["min", min], ["max", max]] as const) {
      if (value !== undefined && (!Number.isInteger(value) || value < 0 || value > TEXT_MAX_CHARACTERS)) {
        report(path, `must be a whole number from 0 to ${TEXT_MAX_CHARACTERS}`);
      }
    }
  }
});

/** Says which field lacks its label, because the fields of a form look alike, and what to do. */
function withoutLabel({ kind, name }: { kind: FieldKind; name: string }): string {
  const noun = kind === "consent" ? "consent" : "field";
  const which = name === "" ? `this ${noun}` : `the ${noun} “${name}”`;
  const label = kind === "consent" ? "the text that visitors agree to" : "a label that visitors can read";
  return `enter ${label} for ${which}, or remove it`;
}

export type FieldSettings = z.output<typeof field>;

/** The fields of a form, in order. */
export const formFields = z.array(field).max(MAX_FIELDS, `must have at most ${MAX_FIELDS} fields`).refine(
  (fields) => {
    // An empty name has an error of its own.
    const names = fields.flatMap(({ name }) => name || []);
    return new Set(names).size === names.length;
  },
  "two fields have the same name",
).refine(
  (fields) => fields.filter(({ kind }) => kind === "consent").length <= MAX_CONSENTS,
  `must have at most ${MAX_CONSENTS} consents`,
);

/** The texts of fields in one language, by the names of the fields. An absent or empty text is not translated. */
export const fieldTexts = z.array(z.strictObject({
  name,
  label: label.optional(),
  help: help.optional(),
  options: z.array(z.strictObject({ value: oneLine(100), label: oneLine(100) })).max(MAX_OPTIONS).optional(),
})).max(MAX_FIELDS);

export type FieldTexts = z.output<typeof fieldTexts>[number];
