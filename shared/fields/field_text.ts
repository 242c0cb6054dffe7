import type { FieldValue } from "./kinds.ts";

/** Returns the value of a field as text for people. */
export function fieldText(value: FieldValue): string {
  if (value === true) return "yes";
  return Array.isArray(value) ? value.join(", ") : String(value);
}
