import { z } from "zod";
import {
  isPurchase,
  MAX_ITEMS,
  type Order,
  type OrderInput,
  OrderItemSchema,
  OrderSchema,
  type OrderStatus,
} from "./order.ts";
import type { OrderReading } from "./port.ts";

/**
 * Readers for values of shop systems. Values that are only displayed are shortened or left out, because the order is paid
 * all the same. An implausible total, ID or address is rejected.
 */

/** `"29.35"` or 29.35. */
export const amountSchema = z.union([
  z.number(),
  z.string().regex(/^-?\d{1,12}(\.\d{1,10})?$/, "must be an amount like 29.35").transform(Number),
]);

/** An ID: a number in most systems. The ID in Shopify's test notification is too large for an exact number. */
export const idSchema = z.union([z.number().nonnegative().transform(String), z.string()]);

/** The lines of an order with these members. A line that is no object is left out. */
export const linesOf = <Shape extends z.ZodRawShape>(shape: Shape) =>
  z.array(z.object(shape).nullable().catch(null)).catch([])
    .transform((lines) => lines.filter((line) => line !== null));

// deno-lint-ignore no-control-regex -- matching them is the purpose
const NOT_PLAIN = /[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]+/g;

/** The first half of a character of two code units, at the end. */
const HALF_CHARACTER = /[\ud800-\udbff]$/;

/** Returns a name as one line of at most `max` characters, or undefined if nothing is left. */
export function singleLine(value: string | null | undefined, max: number): string | undefined {
  const plain = (value ?? "").replace(NOT_PLAIN, " ").trim();
  return plain.slice(0, max).replace(HALF_CHARACTER, "").trim() || undefined;
}

/** Returns whether a checkbox was ticked, in any usual representation. */
export function isTicked(value: unknown): boolean {
  return value === true || value === 1 || /^(1|yes|true|on)$/i.test(typeof value === "string" ? value : "");
}

const shape = OrderSchema.shape;

/** Returns an optional field of an order if the value is valid, otherwise an empty object. */
export function ifValid<
  K extends "ip" | "currency" | "locale" | "session" | "optInText" | "orderedAt" | "changedAt",
>(
  member: K,
  value: unknown,
): Partial<Pick<OrderInput, K>> {
  if (value === null || value === undefined || !shape[member].safeParse(value).success) return {};
  return { [member]: value } as Partial<Pick<OrderInput, K>>;
}

type ItemMember = keyof typeof OrderItemSchema.shape;

/** Returns the items of an order without their invalid members. An item without a name or a quantity is left out. */
export function readItems(items: readonly Partial<Record<ItemMember, unknown>>[]): OrderInput["items"] {
  return items.flatMap((item) => {
    const valid = Object.entries(item).filter(([member, value]) =>
      value !== undefined && OrderItemSchema.shape[member as ItemMember].safeParse(value).success
    );
    const parsed = OrderItemSchema.safeParse(Object.fromEntries(valid));
    return parsed.success ? [parsed.data] : [];
  }).slice(0, MAX_ITEMS);
}

/** Reads an order without an email address, for example of a buyer who gave only a phone number. */
export function readWithoutAddress(status: OrderStatus, given: unknown): OrderReading {
  const { session } = ifValid("session", given);
  return session !== undefined && isPurchase({ status })
    ? { kind: "session", session }
    : { kind: "ignored", reason: "the order has no email address" };
}

/** Validates an order that an adapter has read from a payload. */
export function readOrder(input: unknown): OrderReading {
  const parsed = OrderSchema.safeParse(input);
  return parsed.success
    ? { kind: "order", order: parsed.data satisfies Order }
    : { kind: "implausible", reason: describeIssues(parsed.error) };
}

/** Returns up to ten issues, each with its path. Contains no values, because they may be personal data. */
export function describeIssues(error: z.ZodError): string {
  return error.issues.slice(0, 10).map(({ path, message }) => `${path.join(".")} ${message}`.trim()).join(
    "; ",
  );
}
