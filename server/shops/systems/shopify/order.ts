import { z } from "zod";
import { money } from "../item.ts";
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

/** Cart attributes that a theme sets. Orders contain them as `note_attributes` (docs/shopify.md). */
const OPT_IN_ATTRIBUTE = "cfbe_opt_in";
const SESSION_ATTRIBUTE = "cfbe_session";

const text = z.string().nullish().catch(null);

/** The payload of the webhooks `orders/*`. Source: the page "Order" of the REST Admin API. Amounts are strings. */
const Payload = z.object({
  id: idSchema,
  name: text,
  email: text,
  contact_email: text,
  created_at: text,
  updated_at: text,
  cancelled_at: text,
  financial_status: text,
  fulfillment_status: text,
  currency: z.unknown(),
  /** When it was placed. */
  total_price: amountSchema,
  /** After edits, returns and refunds. */
  current_total_price: amountSchema.pipe(money).nullish().catch(null),
  buyer_accepts_marketing: z.boolean().catch(false),
  customer_locale: text,
  browser_ip: text,
  note_attributes: z.array(z.object({ name: z.string(), value: z.unknown() })).catch([]),
  customer: z.object({
    email: text,
    first_name: text,
    last_name: text,
    email_marketing_consent: z.object({ state: text, consent_updated_at: text }).nullish().catch(null),
  }).nullish().catch(null),
  billing_address: z.object({ name: text }).nullish().catch(null),
  line_items: linesOf({
    product_id: idSchema.nullish().catch(null),
    variant_id: idSchema.nullish().catch(null),
    name: text,
    quantity: amountSchema.nullish().catch(null),
    price: amountSchema.nullish().catch(null),
  }),
});
type Payload = z.output<typeof Payload>;

/** A customer's consent counts as given with an order only if it is not older than this: it may be years old. */
const WITH_ORDER_MS = 60 * 60 * 1000;

/** Reads an order. @param json the body of a webhook with an order */
export function readShopifyOrder(json: unknown): OrderReading {
  const parsed = Payload.safeParse(json);
  if (!parsed.success) return { kind: "implausible", reason: describeIssues(parsed.error) };
  const order = parsed.data;
  const email = (order.email || order.contact_email || order.customer?.email || "").trim();
  const attribute = (name: string) => order.note_attributes.findLast((entry) => entry.name === name)?.value;
  if (email === "") return readWithoutAddress(statusOf(order), attribute(SESSION_ATTRIBUTE));
  const number = singleLine(order.name, 50);
  const name = nameOf(order);
  return readOrder({
    id: order.id,
    ...(number !== undefined && { number }),
    status: statusOf(order),
    email,
    ...(name !== undefined && { name }),
    total: totalOf(order),
    ...ifValid("currency", order.currency),
    items: readItems(order.line_items.map(itemOf)),
    optIn: order.buyer_accepts_marketing || isTicked(attribute(OPT_IN_ATTRIBUTE)) || consented(order),
    ...ifValid("session", attribute(SESSION_ATTRIBUTE)),
    ...ifValid("locale", order.customer_locale),
    ...ifValid("ip", order.browser_ip),
    ...ifValid("orderedAt", order.created_at),
    ...ifValid("changedAt", order.updated_at),
  });
}

/** Combines Shopify's separate payment and fulfillment statuses into one. */
function statusOf({ cancelled_at, financial_status, fulfillment_status }: Payload): OrderStatus {
  if (financial_status === "refunded") return "refunded";
  if (cancelled_at || financial_status === "voided") return "cancelled";
  if (financial_status === "expired") return "failed";
  if (fulfillment_status === "fulfilled") return "completed";
  if (financial_status === "pending") return "pending";
  return financial_status === "authorized" ? "on-hold" : "processing";
}

/** Of an order that is undone, nothing is left, but its email names what it was. */
function totalOf(order: Payload): number {
  const isUndone = ["cancelled", "refunded"].includes(statusOf(order));
  return (isUndone ? null : order.current_total_price) ?? order.total_price;
}

function consented({ customer, created_at }: Payload): boolean {
  const consent = customer?.email_marketing_consent;
  if (consent?.state !== "subscribed") return false;
  const [given, ordered] = [Date.parse(consent.consent_updated_at ?? ""), Date.parse(created_at ?? "")];
  return given >= ordered - WITH_ORDER_MS;
}

function nameOf({ customer, billing_address }: Payload): string | undefined {
  return singleLine(`${customer?.first_name ?? ""} ${customer?.last_name ?? ""}`, 100) ??
    singleLine(billing_address?.name, 100);
}

function itemOf({ product_id, variant_id, name, quantity, price }: Payload["line_items"][number]) {
  return { id: variant_id ?? product_id, name: singleLine(name, 200) ?? "–", quantity, price };
}
