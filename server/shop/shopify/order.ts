import { z } from "zod";
import type { OrderStatus } from "../order.ts";
import type { Reading } from "../port.ts";
import { describeIssues, id, ifValid, isTicked, money, readOrder, singleLine } from "../reading.ts";

/** Cart attributes that a theme sets, which orders carry as `note_attributes` (docs/shopify.md). */
const OPT_IN_ATTRIBUTE = "cfbe_opt_in";
const SESSION_ATTRIBUTE = "cfbe_session";

const word = z.string().nullish().catch(null);

/** Source: the REST Admin API's page "Order", whose shape the webhooks `orders/*` carry. Money is text. */
const Payload = z.object({
  id,
  name: word,
  email: word,
  contact_email: word,
  created_at: word,
  updated_at: word,
  cancelled_at: word,
  financial_status: word,
  fulfillment_status: word,
  currency: z.string().optional(),
  total_price: money,
  buyer_accepts_marketing: z.boolean().catch(false),
  customer_locale: word,
  browser_ip: word,
  note_attributes: z.array(z.object({ name: z.string(), value: z.unknown() })).catch([]),
  customer: z.object({
    email: word,
    first_name: word,
    last_name: word,
    email_marketing_consent: z.object({ state: word, consent_updated_at: word }).nullish().catch(null),
  }).nullish().catch(null),
  billing_address: z.object({ name: word }).nullish().catch(null),
  line_items: z.array(z.object({
    product_id: id.nullish(),
    variant_id: id.nullish(),
    name: word,
    quantity: z.number(),
    price: money.nullish().catch(null),
  })).default([]),
});
type Payload = z.output<typeof Payload>;

/** A consent counts as given with an order when it was not there long before it: the customer's own may be years old. */
const WITH_ORDER_MS = 60 * 60 * 1000;

/** @param json the body of a webhook whose payload is an order */
export function readShopifyOrder(json: unknown): Reading {
  const parsed = Payload.safeParse(json);
  if (!parsed.success) return { kind: "implausible", reason: describeIssues(parsed.error) };
  const order = parsed.data;
  const email = (order.email || order.contact_email || order.customer?.email || "").trim();
  // Sold over the counter, say.
  if (email === "") return { kind: "ignored", reason: "the order has no e-mail address" };
  const attribute = (name: string) => order.note_attributes.findLast((entry) => entry.name === name)?.value;
  const number = singleLine(order.name, 50);
  const name = nameOf(order);
  return readOrder({
    id: order.id,
    ...(number !== undefined && { number }),
    status: statusOf(order),
    email,
    ...(name !== undefined && { name }),
    total: order.total_price,
    ...(order.currency && { currency: order.currency }),
    items: order.line_items.filter(({ quantity }) => quantity !== 0).map(itemOf),
    optIn: order.buyer_accepts_marketing || isTicked(attribute(OPT_IN_ATTRIBUTE)) || consented(order),
    ...ifValid("session", attribute(SESSION_ATTRIBUTE)),
    ...ifValid("locale", order.customer_locale),
    ...ifValid("ip", order.browser_ip),
    ...ifValid("orderedAt", order.created_at),
    ...ifValid("changedAt", order.updated_at),
  });
}

/** Payment and delivery are told apart there, and one status here. */
function statusOf({ cancelled_at, financial_status, fulfillment_status }: Payload): OrderStatus {
  if (financial_status === "refunded") return "refunded";
  if (cancelled_at || financial_status === "voided") return "cancelled";
  if (financial_status === "expired") return "failed";
  if (fulfillment_status === "fulfilled") return "completed";
  if (financial_status === "pending") return "pending";
  return financial_status === "authorized" ? "on-hold" : "processing";
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
  const itemId = variant_id ?? product_id;
  return {
    ...(itemId && { id: itemId }),
    name: singleLine(name, 200) ?? "–",
    quantity,
    ...(price !== null && price !== undefined && { price }),
  };
}
