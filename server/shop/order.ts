import { z } from "zod";
import { ORDER_STATUSES } from "../../shared/order_statuses.ts";
import { normalizeEmail } from "../http/email.ts";
import { ItemSchema, plainText } from "./item.ts";

/**
 * An order as every shop system's adapter hands it in: the port between them and `orders.ts`. The JSON schema that
 * the generic hook publishes is made from this.
 */

const MAX_ITEMS = 500;

const time = z.iso.datetime({ offset: true, error: "must be a time like 2026-11-21T10:00:00Z" })
  .transform((value) => Date.parse(value));

/** What names a checkout session; see `carts/checkout_nonce.ts`. */
export const SessionId = z.string().regex(/^[A-Za-z0-9_-]{22}$/, "must be what cfbe.cart.session() told");

export const OrderSchema = z.object({
  id: z.string().min(1).max(100).meta({ description: "Yours; an order is known by it." }),
  status: z.enum(ORDER_STATUSES).meta({
    description: "`cancelled` and `failed` are no orders: they end no cart and sign nobody up.",
  }),
  email: z.string().max(254).refine(
    (value) => normalizeEmail(value) !== undefined,
    "must be an e-mail address",
  )
    .meta({ format: "email", description: "Whoever ordered." }),
  session: SessionId.optional().meta({
    description: "The checkout session, from `cfbe.cart.session()`: ends its cart, whatever its address.",
  }),
  number: plainText(50).min(1).optional().meta({
    description: "What the buyer knows it by; the id if absent.",
  }),
  name: plainText(100).optional().meta({ description: "The buyer's, as one would greet them." }),
  orderedAt: time.optional().meta({
    description: "When it was placed. One of over three days ago ends no newer cart and signs nobody up.",
  }),
  changedAt: time.optional().meta({
    description:
      "When it last changed. What arrives late, with an older time than is known, changes nothing.",
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

/** Times are Unix milliseconds here, and text in what comes in. */
export type Order = z.output<typeof OrderSchema>;
export type OrderInput = z.input<typeof OrderSchema>;
export type OrderStatus = Order["status"];

/** What is known of an order that was told of before. */
export interface OrderMarker {
  v: 1;
  at: number;
  status: OrderStatus;
  changedAt?: number;
  /** It has ended its carts and signed up whoever ticked the box. */
  taken: boolean;
}

/** Of two states in the same second, the one further on is the later. */
const STATUS_PROGRESS: readonly OrderStatus[] = [
  "pending",
  "failed",
  "on-hold",
  "processing",
  "completed",
  "cancelled",
  "refunded",
];

/** A shop's clock may be ahead, but not by this much: then its times say nothing. */
const MAX_AHEAD_MS = 24 * 60 * 60 * 1000;

/**
 * Whether what is told of an order is newer than what is known. Deliveries overtake each other and come again: where
 * both say when the order changed, that decides, whatever the order of arrival.
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

/** A time that the shop told, unless it lies in a future that would make every later change look old. */
export function plausibleTime(time: number | undefined, now: number): number | undefined {
  return time === undefined || time - now > MAX_AHEAD_MS ? undefined : time;
}

/** No delivery is retried this long: an order that is older is told of because somebody works on old orders. */
export const RECENT_ORDER_MS = 3 * 24 * 60 * 60 * 1000;

/** Whether somebody has bought, or is about to pay. */
export function isPurchase({ status }: Pick<Order, "status">): boolean {
  return status !== "cancelled" && status !== "failed";
}
