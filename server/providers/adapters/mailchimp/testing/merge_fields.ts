import { z } from "zod";
import type { Account, Audience } from "./account.ts";
import { invalid } from "./rejection.ts";

/** The merge fields of the double. */

const mergeField = z.object({
  tag: z.string().max(10),
  name: z.string().max(50),
  type: z.enum(["text", "number", "date"]),
});

/** Values by tag, as Mailchimp accepts them. */
export const mergeValues = z.record(z.string(), z.union([z.string().max(255), z.number()]));

export function mergeFieldsBody({ id: list_id, mergeFields }: Audience) {
  const merge_fields = [...mergeFields].map(([tag, rest]) => ({ merge_id: 1, tag, ...rest }));
  return { merge_fields, list_id, total_items: merge_fields.length };
}

/** Adds a field, and returns the response's body. */
export function addMergeField(
  { mostMergeFields }: Account,
  { id: list_id, mergeFields }: Audience,
  body: unknown,
) {
  const { tag, ...rest } = mergeField.parse(body);
  if (mergeFields.has(tag)) throw invalid("A Merge Field with that tag already exists.");
  if (mergeFields.size >= mostMergeFields) throw invalid("You have too many merge fields.");
  mergeFields.set(tag, rest);
  return { merge_id: 1, tag, ...rest, list_id };
}

/** Rejects a value that does not fit the type of its field. */
export function checkMergeFields({ mergeFields }: Audience, values: z.output<typeof mergeValues>): void {
  for (const [tag, value] of Object.entries(values)) {
    const isNumber = mergeFields.get(tag)?.type === "number";
    if (isNumber !== (typeof value === "number")) throw invalid("Your merge fields were invalid.");
  }
}
