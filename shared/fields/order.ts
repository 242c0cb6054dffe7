/** The parts of a form that have a place among its fields. Consent is always the last, before the button. */
export const PLACED_PARTS = ["email", "name", "interests"] as const;

/** What the first of two steps of a form can have: only its button, or the email address. */
export const FIRST_STEPS = ["button", "email"] as const;
export type FirstStep = (typeof FIRST_STEPS)[number];

/**
 * Returns the names of these parts and of a form's fields in the order in which the form shows them. Those that the wanted
 * order does not name follow in their usual order, and names that the form does not have are left out.
 */
export function orderOf(wanted: readonly string[], fields: readonly { name: string }[]): string[] {
  const all = [...PLACED_PARTS, ...fields.map(({ name }) => name)];
  return [...new Set([...wanted.filter((name) => all.includes(name)), ...all])];
}
