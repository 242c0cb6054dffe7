import { z } from "zod";
import type { OrderStatus } from "../order.ts";
import type { OrderReading } from "../port.ts";
import {
  amountSchema,
  describeIssues,
  idSchema,
  ifValid,
  isTicked,
  linesOf,
  readItems,
  readOrder,
  readWithoutAddress,
  singleLine,
} from "../reading.ts";

/** Order metadata, written by the WordPress plugin or the shop's own code (docs/woocommerce.md). */
export const OPT_IN_META = "_cfbe_opt_in";
export const OPT_IN_TEXT_META = "_cfbe_opt_in_text";
export const SESSION_META = "_cfbe_session";
export const LOCALE_META = "_cfbe_locale";

/** Source: the page "Order properties" of the REST API v3, same as in webhooks. Times without `_gmt` are local. */
const Payload = z.object({
  id: idSchema,
  status: z.string().min(1).max(100),
  /** When it was placed. Refunds do not lower it. */
  total: amountSchema,
  refunds: linesOf({ total: amountSchema.catch(0) }),
  currency: z.unknown(),
  number: z.string().nullish().catch(null),
  date_created_gmt: z.string().nullish(),
  date_modified_gmt: z.string().nullish(),
  date_paid_gmt: z.string().nullish(),
  customer_ip_address: z.string().nullish().catch(null),
  billing: z.object({
    email: z.string().nullish(),
    first_name: z.string().nullish().catch(null),
    last_name: z.string().nullish().catch(null),
  }),
  line_items: linesOf({
    product_id: idSchema.nullish().catch(null),
    variation_id: idSchema.nullish().catch(null),
    name: z.string().nullish().catch(null),
    quantity: amountSchema.nullish().catch(null),
    price: amountSchema.nullish().catch(null),
    image: z.object({ src: z.string().nullish() }).nullish().catch(null),
  }),
  meta_data: z.array(z.object({ key: z.string(), value: z.unknown() })).catch([]),
});
type Payload = z.output<typeof Payload>;

const STATUSES: Readonly<Record<string, OrderStatus>> = {
  "pending": "pending",
  "on-hold": "on-hold",
  "processing": "processing",
  "completed": "completed",
  "refunded": "refunded",
  "cancelled": "cancelled",
  "failed": "failed",
};
/** Statuses of drafts and deleted orders. */
const NOT_ORDERS = ["checkout-draft", "auto-draft", "draft", "new", "trash"];

/** Reads an order. @param json the body of `order.created`, `order.updated` or `order.deleted` */
export function readWooOrder(json: unknown): OrderReading {
  // `order.deleted` contains only the ID.
  if (json && typeof json === "object" && !("status" in json) && "id" in json) {
    return { kind: "ignored", reason: "the order was deleted" };
  }
  const parsed = Payload.safeParse(json);
  if (!parsed.success) return { kind: "implausible", reason: describeIssues(parsed.error) };
  const order = parsed.data;
  if (NOT_ORDERS.includes(order.status)) return { kind: "ignored", reason: `the order is a ${order.status}` };
  const email = order.billing.email?.trim();
  const meta = (key: string) => order.meta_data.findLast((entry) => entry.key === key)?.value;
  if (!email) return readWithoutAddress(statusOf(order), meta(SESSION_META));
  return readOrder({
    id: order.id,
    ...(singleLine(order.number, 50) !== undefined && { number: singleLine(order.number, 50) }),
    status: statusOf(order),
    email,
    ...nameOf(order),
    total: totalOf(order),
    ...ifValid("currency", order.currency),
    items: readItems(order.line_items.map(itemOf)),
    optIn: isTicked(meta(OPT_IN_META)),
    ...ifValid("optInText", meta(OPT_IN_TEXT_META)),
    ...ifValid("session", meta(SESSION_META)),
    ...ifValid("locale", meta(LOCALE_META)),
    ...ifValid("ip", order.customer_ip_address),
    ...ifValid("orderedAt", utc(order.date_created_gmt)),
    ...ifValid("changedAt", utc(order.date_modified_gmt)),
  });
}

/** Plugins add their own statuses, such as "shipped": processing if the order is paid, otherwise on hold. */
function statusOf({ status, date_paid_gmt }: Payload): OrderStatus {
  return STATUSES[status] ?? (date_paid_gmt ? "processing" : "on-hold");
}

/** No currency has more than three decimals. */
const UNITS_PER_AMOUNT = 1000;

/** Subtracts partial refunds. Of an order that is undone, nothing is left, but its email names what it was. */
function totalOf(order: Payload): number {
  const refunded = order.refunds.reduce((sum, { total }) => sum + Math.abs(total), 0);
  if (refunded === 0 || ["cancelled", "refunded"].includes(statusOf(order))) return order.total;
  return Math.max(0, Math.round((order.total - refunded) * UNITS_PER_AMOUNT) / UNITS_PER_AMOUNT);
}

function nameOf({ billing }: Payload): { name?: string } {
  const name = singleLine(`${billing.first_name ?? ""} ${billing.last_name ?? ""}`, 100);
  return name === undefined ? {} : { name };
}

function itemOf({ product_id, variation_id, name, quantity, price, image }: Payload["line_items"][number]) {
  const itemId = variation_id && variation_id !== "0" ? variation_id : product_id;
  return {
    ...(itemId !== "0" && { id: itemId }),
    name: singleLine(name, 200) ?? "–",
    quantity,
    price,
    image: image?.src,
  };
}

/** Returns a GMT time with its zone, which WooCommerce omits. */
function utc(time: string | null | undefined): string | undefined {
  return time ? `${time.replace(/Z$/, "")}Z` : undefined;
}
