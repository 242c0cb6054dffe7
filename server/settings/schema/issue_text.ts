import { docPage } from "../../platform/words/doc_page.ts";
import type { z } from "zod";
import { closestName } from "../../platform/words/closest_name.ts";

const TYPES: Readonly<Record<string, string>> = {
  string: "text in quotes",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  array: "a list in square brackets",
  object: "an object in curly braces",
  record: "an object in curly braces",
  function: "a function",
};

/**
 * Returns what a value must be, for people who edit a file. For the option `error` of a parse: schemas with a message of
 * their own keep it.
 */
export const issueText: z.core.$ZodErrorMap = (issue) => {
  switch (issue.code) {
    case "invalid_type":
      if (issue.input === undefined) return "is missing";
      return `must be ${TYPES[issue.expected] ?? "of another kind"}, not ${kindOf(issue.input)}`;
    case "invalid_value":
      return `must be ${issue.values.map((value) => JSON.stringify(value)).join(" or ")}`;
    case "too_small":
      return `must ${lengthOrValue(issue.origin)} at least ${issue.minimum}${unit(issue.origin)}`;
    case "too_big":
      return `must ${lengthOrValue(issue.origin)} at most ${issue.maximum}${unit(issue.origin)}`;
    case "unrecognized_keys": {
      const { shape = {} } = (issue.inst as Partial<z.ZodObject> | undefined)?.def ?? {};
      return issue.keys.map((key) => unknownMember(key, Object.keys(shape))).join(" It ");
    }
    default:
      return `is not valid: compare it with ${docPage("configure")}`;
  }
};

function unknownMember(name: string, known: readonly string[]): string {
  const meant = closestName(name, known);
  return `has no member ${name}.${meant === undefined ? "" : ` Did you mean ${meant}?`}`;
}

const lengthOrValue = (origin: string) => origin === "number" || origin === "int" ? "be" : "have";
const unit = (origin: string) => origin === "string" ? " characters" : origin === "array" ? " entries" : "";

/** Returns what a value is. The value itself may be a secret. */
function kindOf(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "a list";
  const kind = typeof value;
  return kind === "object" ? "an object" : kind === "string" ? "text" : `a ${kind}`;
}
