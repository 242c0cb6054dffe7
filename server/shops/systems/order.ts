import { z } from "zod";
import { ORDER_STATUSES } from "../../../shared/order_statuses.ts";
import { normalizeEmail } from "../../platform/http/email.ts";
import { CONSENT_TEXT_MAX_CHARACTERS } from "../../settings/schema/form_values.ts";
import { ItemSchema, money, plainText } from "./item.ts";

/** An order, as every adapter passes it to `orders.ts`. The generic hook publishes this schema as JSON Schema. */

export const MAX_ITEMS = 500;
/** An item of an order. It may have no ID, for example a fee. */
export const OrderItemSchema = ItemSchema.partial({ id: true });

const time = z.iso.datetime({ offset: true, error: "must be a time like 2026-11-21T10:00:00Z" })
  .transform((value) => Date.parse(value));

/** The ID of a checkout session; see `carts/checkout_nonce.ts`. */
export const SessionId = z.string().regex(/^[A-Za-z0-9_-]{22}$/, "must be what cfbe.cart.session() returned");

export const OrderSchema = z.object({
  id: z.string().min(1).max(100).meta({ description: "Your order ID." }),
  status: z.enum(ORDER_STATUSES).meta({
    description: "`cancelled` and `failed` end no cart and sign nobody up.",
  }),
  email: z.string().max(254).refine(
    (value) => normalizeEmail(value) !== undefined,
    "must be an email address",
  )
    .meta({ format: "email", description: "The buyer's email address." }),
  session: SessionId.optional().meta({
    description:
      "The checkout session from `cfbe.cart.session()`. The order ends its cart, whatever address was typed.",
  }),
  number: plainText(50).min(1).optional().meta({
    description: "The order number that the buyer knows, if it differs from `id`.",
  }),
  name: plainText(100).optional().meta({ description: "The buyer's name." }),
  orderedAt: time.optional().meta({
    description:
      "When the order was placed. An order over three days old ends no newer cart and signs nobody up.",
  }),
  changedAt: time.optional().meta({
    description:
      "When the order last changed. A request with an older time than the known one changes nothing.",
  }),
  total: money,
  currency: z.string().regex(/^[A-Z]{3}$/, "must be a code like EUR").optional(),
  items: z.array(OrderItemSchema).max(MAX_ITEMS).default([]),
  optIn: z.boolean().default(false).meta({
    description: "Whether the newsletter box was ticked.",
  }),
  optInText: plainText(CONSENT_TEXT_MAX_CHARACTERS).min(1).optional().meta({
    description:
      "The text that the buyer saw beside the box, for the consent record. Without it, the record has the label on the admin's Checkout page.",
  }),
  locale: z.string().regex(/^[a-zA-Z]{2,3}(-[A-Za-z0-9]{2,8})*$/, "must be a locale like de or pt-BR").max(35)
    .optional().meta({ description: "The language of the newsletter box's label." }),
  ip: z.union([z.ipv4(), z.ipv6()]).optional().meta({
    description: "The visitor's IP, for the consent record. Never your server's IP.",
  }),
}).meta({ title: "Order" });

/** Times are Unix milliseconds here, and ISO 8601 text in the input. */
export type Order = z.output<typeof OrderSchema>;
export type OrderInput = z.input<typeof OrderSchema>;
export type OrderStatus = Order["status"];

/** What cfbe knows about an order it has seen. */
export interface OrderMarker {
  v: 1;
  at: number;
  status: OrderStatus;
  changedAt?: number;
  /** When it was placed, as the shop said. Earlier versions did not store it. */
  orderedAt?: number;
  /** When it was first reported, if the shop did not say when it was placed. Earlier versions did not store it. */
  firstAt?: number;
  /** URL of the connected site that reported it last; absent if that was no connected site. */
  site?: string;
  /** Whether it was accepted, which ended its carts and signed up a buyer who opted in. */
  taken: boolean;
}

/** Of two statuses with the same time, the one further down is the newer. */
const STATUS_PROGRESS: readonly OrderStatus[] = [
  "pending",
  "failed",
  "on-hold",
  "processing",
  "completed",
  "cancelled",
  "refunded",
];

/** Times further in the future than this are ignored. */
const MAX_AHEAD_MS = 24 * 60 * 60 * 1000;

/**
 * Returns whether a report of an order is newer than the known state. Deliveries can arrive late or repeatedly. If both
 * have a `changedAt`, it decides; otherwise any other status counts as newer.
 */
export function isNewer(
  known: Pick<OrderMarker, "status" | "changedAt"> | null,
  { status, changedAt }: Pick<Order, "status" | "changedAt">,
): boolean {
  if (!known) return true;
  if (changedAt === undefined || known.changedAt === undefined) return status !== known.status;
  if (changedAt !== known.changedAt) return changedAt > known.changedAt;
  return STATUS_PROGRESS.indexOf(status) > STATUS_PROGRESS.indexOf(known.status);
}

/** Returns the shop's time, or undefined if it is so far in the future that later changes would look old. */
export function plausibleShopTime(time: number | undefined, now: number): number | undefined {
  return time === undefined || time - now > MAX_AHEAD_MS ? undefined : time;
}

/** No delivery is retried for this long. An older order arrives only because someone edits old orders. */
export const RECENT_ORDER_MS = 3 * 24 * 60 * 60 * 1000;

/** Returns whether the order is a purchase: paid, or waiting for payment. */
export function isPurchase({ status }: Pick<Order, "status">): boolean {
  return status !== "cancelled" && status !== "failed";
}
