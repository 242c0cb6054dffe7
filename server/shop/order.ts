import { z } from "zod";
import { normalEmail } from "../signup/request.ts";
import { ItemSchema } from "./cart.ts";

/**
 * An order as every shop system's adapter hands it in: the port between them and `orders.ts`. The JSON schema that
 * the generic hook publishes is made from this.
 */

export const ORDER_STATUSES = [
  "pending",
  "on-hold",
  "processing",
  "completed",
  "refunded",
  "cancelled",
  "failed",
] as const;

const MAX_ITEMS = 500;

export const OrderSchema = z.object({
  id: z.string().min(1).max(100).meta({ description: "Yours; an order is known by it." }),
  status: z.enum(ORDER_STATUSES).meta({
    description: "`cancelled` and `failed` are no orders: they end no cart and sign nobody up.",
  }),
  email: z.string().max(254).refine((value) => normalEmail(value) !== undefined, "must be an e-mail address")
    .meta({ format: "email", description: "Whoever ordered." }),
  session: z.string().regex(/^[A-Za-z0-9_-]{22}$/, "must be what cfbe.cart.session() told").optional()
    .meta({
      description: "The checkout session, from `cfbe.cart.session()`: ends its cart, whatever its address.",
    }),
  total: z.number().min(0).max(1e9),
  currency: z.string().regex(/^[A-Z]{3}$/, "must be a code like EUR").optional(),
  items: z.array(ItemSchema.partial({ id: true })).max(MAX_ITEMS).default([]),
  optIn: z.boolean().default(false).meta({
    description: "Whether the newsletter's box was ticked, under the text of the Checkout tab.",
  }),
  locale: z.string().regex(/^[a-zA-Z]{2,3}(-[A-Za-z0-9]{2,8})*$/, "must be a locale like de or pt-BR").max(35)
    .optional().meta({ description: "The language that the box was labelled in." }),
  ip: z.union([z.ipv4(), z.ipv6()]).optional().meta({
    description: "The visitor's, for the record of consent; never your server's.",
  }),
}).meta({ title: "Order" });

export type Order = z.output<typeof OrderSchema>;

/** Whether somebody has bought, or is about to pay. */
export function isBought({ status }: Order): boolean {
  return status !== "cancelled" && status !== "failed";
}
