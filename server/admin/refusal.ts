import type { z } from "zod";

/** What keeps an action from being done, for whoever asked. Nothing was done. */
export class Refusal extends Error {
  override readonly name = "Refusal";
  constructor(
    readonly status: 400 | 403 | 404 | 409 | 413 | 422 | 429 | 502,
    readonly code: string,
    message: string,
    /** By path in the input, such as `fields.origins`: what is wrong there. */
    readonly fields: Record<string, string> = {},
  ) {
    super(message);
  }
}

const CHECK_FIELDS = "Nothing was saved: please check what is marked below.";

/** @param prefix in front of every path */
export function invalid(error: z.ZodError, prefix: readonly string[] = []): Refusal {
  const fields: Record<string, string> = {};
  for (const issue of error.issues) {
    fields[[...prefix, ...issue.path].map(String).join(".")] ??= sentence(issue);
  }
  return new Refusal(422, "invalid", CHECK_FIELDS, fields);
}

/** A problem as a sentence that begins with what must be. Our own schemas say it themselves. */
function sentence(issue: z.core.$ZodIssue): string {
  const said = issue.message.startsWith("must ") || !/^(Invalid|Too|Unrecognized)/.test(issue.message)
    ? issue.message
    : plain(issue);
  return `${said[0]!.toUpperCase()}${said.slice(1)}${/[.!?]$/.test(said) ? "" : "."}`;
}

function plain(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case "invalid_type":
      return issue.expected === "number" || issue.expected === "int"
        ? "must be a number"
        : "must be filled in";
    case "too_small":
      if (issue.origin === "string") return "must be filled in";
      return `must be ${issue.inclusive === false ? "more than" : "at least"} ${issue.minimum}`;
    case "too_big":
      return issue.origin === "array"
        ? `must be ${issue.maximum} entries at most`
        : `must be at most ${issue.maximum}`;
    case "invalid_value":
      return `must be one of ${issue.values.join(", ")}`;
    case "unrecognized_keys":
      return `must not have ${issue.keys.join(", ")}`;
    default:
      return issue.message;
  }
}
