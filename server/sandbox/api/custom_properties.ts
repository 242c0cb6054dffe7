import { z } from "zod";
import type { FieldRow } from "../account/rows.ts";

const RESERVED = ["email", "tags", "status", "pausedUntil", "createdAt", "updatedAt"];

/** The name of a new custom property, as the provider normalizes it: `Shirt size` becomes `shirtSize`. */
export const customPropertyName = z.string().max(60).transform(camelCase)
  .refine((name) => /^[a-z]/.test(name) && !RESERVED.includes(name), "is reserved or has no letters");

function camelCase(text: string): string {
  const words = text.split(/[^A-Za-z0-9]+/).filter((word) => word !== "")
    .map((word) => /[a-z]/.test(word) ? word : word.toLowerCase());
  return words.map((word, index) =>
    (index === 0 ? word[0]!.toLowerCase() : word[0]!.toUpperCase()) + word.slice(1)
  )
    .join("");
}

/** Extends the schema of a contact or subscriber by the project's custom properties. Any other member is invalid. */
export function withFields<Own extends z.ZodObject>(own: Own, fields: FieldRow[]) {
  const types = fields.map((
    { name, type },
  ) => [name, (type === "number" ? z.number() : z.string()).optional()]);
  const properties = z.strictObject(Object.fromEntries(types) as Record<string, z.ZodType<string | number>>);
  return z.record(z.string(), z.unknown()).transform((members, context) => {
    const rest = Object.entries(members).filter(([name]) => !(name in own.shape));
    const [known, more] = [own.safeParse(members), properties.safeParse(Object.fromEntries(rest))];
    for (const { path, message } of [...(known.error?.issues ?? []), ...(more.error?.issues ?? [])]) {
      context.addIssue({ code: "custom", path, message });
    }
    return known.success && more.success ? { ...known.data, properties: more.data } : z.NEVER;
  });
}
