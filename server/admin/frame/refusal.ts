import { missingScopeText } from "../../platform/tokens/scopes.ts";
import { capitalized } from "../../platform/words/capitalized.ts";
import type { Hooks } from "../../settings/hooks/hooks.ts";
import { type Actor, missingScope } from "../auth/actor.ts";
import type { Capability } from "../auth/capability.ts";
import type { z } from "zod";

/** The reason why an action was not done, for the person who requested it. Nothing was changed. */
export class Refusal extends Error {
  override readonly name = "Refusal";
  constructor(
    readonly status: 400 | 403 | 404 | 409 | 413 | 422 | 429 | 502,
    readonly code: string,
    message: string,
    /** Error messages by path in the input, such as `fields.origins`. */
    readonly fields: Record<string, string> = {},
  ) {
    super(message);
  }
}

export const NOT_ALLOWED = "You are not allowed to do that. Nothing was changed.";

/** Returns why an actor without the capability is refused. */
export async function notAllowed(hooks: Hooks, actor: Actor, capability: Capability): Promise<string> {
  const scope = await missingScope(hooks, actor, capability);
  return scope ? `${missingScopeText(scope)} Nothing was changed.` : NOT_ALLOWED;
}

const CHECK_FIELDS = "Nothing was changed. Please correct the highlighted fields.";

/** Returns the refusal of an input. @param fields error messages by path in the input */
export function invalidFields(fields: Record<string, string>): Refusal {
  return new Refusal(422, "invalid", CHECK_FIELDS, fields);
}

/** Converts a validation error. @param prefix of every path */
export function invalid(error: z.ZodError, prefix: readonly string[] = []): Refusal {
  const fields: Record<string, string> = {};
  for (const issue of error.issues) {
    fields[[...prefix, ...issue.path].map(String).join(".")] ??= sentence(issue);
  }
  return invalidFields(fields);
}

/** Returns a validation problem as a sentence. Our own schemas contain messages; Zod's own are replaced. */
function sentence(issue: z.core.$ZodIssue): string {
  const message = issue.message.startsWith("must ") || !/^(Invalid|Too|Unrecognized)/.test(issue.message)
    ? issue.message
    : plain(issue);
  return `${capitalized(message)}${/[.!?]$/.test(message) ? "" : "."}`;
}

const TYPES: Readonly<Record<string, string>> = {
  array: "must be a list",
  object: "must be an object",
  record: "must be an object",
  string: "must be text",
  boolean: "must be true or false",
};

function typeText({ expected, message }: z.core.$ZodIssueInvalidType): string {
  if (expected === "number" || expected === "int") return "must be a number";
  const isMissing = /received (undefined|null)$/.test(message);
  return isMissing ? "this field is required" : TYPES[expected] ?? "this field is required";
}

function plain(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case "invalid_type":
      return typeText(issue);
    case "too_small":
      if (issue.origin === "string") return "this field is required";
      return `must be ${issue.inclusive === false ? "more than" : "at least"} ${issue.minimum}`;
    case "too_big":
      return issue.origin === "array"
        ? `must be at most ${issue.maximum} entries`
        : `must be at most ${issue.maximum}`;
    case "invalid_value":
      return `choose one of: ${issue.values.join(", ")}`;
    case "unrecognized_keys":
      return `unknown setting: ${issue.keys.join(", ")}`;
    default:
      return issue.message;
  }
}
