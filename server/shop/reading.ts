import { z } from "zod";
import { type Order, type OrderInput, OrderSchema } from "./order.ts";
import type { Reading } from "./port.ts";

/** How shop systems spell what an order consists of. What decorates is cut to fit; what counts is refused if absurd. */

/** `"29.35"` or 29.35. */
export const money = z.union([
  z.number(),
  z.string().regex(/^-?\d{1,12}(\.\d{1,10})?$/, "must be an amount like 29.35").transform(Number),
]);

/** Ids are numbers in most systems; Shopify's test notification carries one that no double holds exactly. */
export const id = z.union([z.number().nonnegative().transform(String), z.string()]);

// deno-lint-ignore no-control-regex -- which is what a name must not hold
const NOT_PLAIN = /[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]+/g;

/** A name as the shop has it, fit for one line; undefined when nothing is left. */
export function singleLine(value: string | null | undefined, max: number): string | undefined {
  const plain = (value ?? "").replace(NOT_PLAIN, " ").trim();
  return [...plain].slice(0, max).join("").trim() || undefined;
}

/** Whether a box was ticked, however it was stored. */
export function isTicked(value: unknown): boolean {
  return value === true || value === 1 || /^(1|yes|true|on)$/i.test(typeof value === "string" ? value : "");
}

const shape = OrderSchema.shape;

/** The member if it is sound, and left out if not: for what an order may do without. */
export function ifValid<K extends "ip" | "locale" | "session" | "orderedAt" | "changedAt">(
  member: K,
  value: unknown,
): Partial<Pick<OrderInput, K>> {
  if (value === null || value === undefined || !shape[member].safeParse(value).success) return {};
  return { [member]: value } as Partial<Pick<OrderInput, K>>;
}

/** An order from what an adapter made of a payload. */
export function readOrder(input: unknown): Reading {
  const parsed = OrderSchema.safeParse(input);
  return parsed.success
    ? { kind: "order", order: parsed.data satisfies Order }
    : { kind: "implausible", reason: describeIssues(parsed.error) };
}

/** Ten at most, with the place of each. Values are not in it: they may be somebody's address. */
export function describeIssues(error: z.ZodError): string {
  return error.issues.slice(0, 10).map(({ path, message }) => `${path.join(".")} ${message}`.trim()).join(
    "; ",
  );
}
