import { z } from "zod";

/** Returns the schema of a text that a function normalizes, with a message for a text of which it returns undefined. */
export function normalized(normalize: (text: string) => string | undefined, message: string) {
  return z.string().transform((value, context) => {
    const normal = normalize(value.trim());
    if (normal !== undefined) return normal;
    context.addIssue({ code: "custom", message });
    return z.NEVER;
  });
}
