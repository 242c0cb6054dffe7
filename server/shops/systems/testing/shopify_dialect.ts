import { createHmac } from "node:crypto";
import type { OrderStatus } from "../order.ts";
import type { Dialect } from "./shop_double.ts";

const TOKEN = "shpat_0123456789abcdef0123456789abcdef";
const PATH = "/admin/api/2026-10/graphql.json";

const PAYMENT: Record<OrderStatus, Record<string, unknown>> = {
  "pending": { financial_status: "pending" },
  "on-hold": { financial_status: "authorized" },
  "processing": { financial_status: "paid" },
  "completed": { financial_status: "paid", fulfillment_status: "fulfilled" },
  "refunded": { financial_status: "refunded", cancelled_at: "2025-01-01T07:00:00-05:00" },
  "cancelled": { financial_status: "voided", cancelled_at: "2025-01-01T07:00:00-05:00" },
  "failed": { financial_status: "expired" },
};

/** Shopify, from the documentation of its webhooks and its Admin GraphQL API 2026-10 on shopify.dev. */
export const shopifyDialect: Dialect = {
  settings: (url) => ({ shopUrl: url, apiSecret: TOKEN }),

  async readRequest(request) {
    const { query, variables } = await request.json();
    if (request.headers.get("x-shopify-access-token") !== TOKEN) {
      return Response.json({
        errors: "[API] Invalid API key or access token (unrecognized login or wrong password)",
      }, { status: 401 });
    }
    if (request.method !== "POST" || new URL(request.url).pathname !== PATH) {
      return Response.json({ errors: "Not Found" }, { status: 404 });
    }
    const { discount } = variables;
    const { percentage, discountAmount } = discount?.customerGets?.value ?? {};
    if (
      !/discountCodeBasicCreate\(basicCodeDiscount: \$discount\)/.test(query) ||
      discount.context?.all !== "ALL"
    ) {
      return Response.json({
        errors: [{ message: "Variable $discount of type DiscountCodeBasicInput! is invalid" }],
      });
    }
    return {
      coupon: {
        code: discount.code,
        kind: percentage === undefined ? "fixed" : "percent",
        amount: percentage === undefined ? Number(discountAmount.amount) : percentage * 100,
        expiresAt: Date.parse(discount.endsAt),
      },
    };
  },
  created: () =>
    creationResult({ codeDiscountNode: { id: "gid://shopify/DiscountCodeNode/1057371205" }, userErrors: [] }),
  exists: () =>
    creationResult({
      codeDiscountNode: null,
      userErrors: [{
        field: ["basicCodeDiscount", "code"],
        code: "TAKEN",
        message: "Code must be unique. Please try a different code.",
      }],
    }),
  rateLimited: () =>
    Response.json({
      errors: [{ message: "Throttled", extensions: { code: "THROTTLED" } }],
      extensions: {
        cost: {
          requestedQueryCost: 10,
          actualQueryCost: null,
          throttleStatus: { maximumAvailable: 2000, currentlyAvailable: 0, restoreRate: 0.5 },
        },
      },
    }),

  body(order, changes = {}) {
    const { id, email, total, currency, firstName, lastName, orderedAt, changedAt } = order;
    // Shopify writes times in the shop's own time zone.
    const local = (time: string) =>
      new Date(Date.parse(time) - 5 * 3_600_000).toISOString().replace(/\.\d{3}Z$/, "-05:00");
    return JSON.stringify({
      id,
      admin_graphql_api_id: `gid://shopify/Order/${id}`,
      name: `#${id}`,
      order_number: id,
      email,
      contact_email: email,
      created_at: local(orderedAt),
      updated_at: local(changedAt),
      cancelled_at: null,
      cancel_reason: null,
      closed_at: null,
      confirmed: true,
      test: false,
      currency,
      presentment_currency: currency,
      ...{ financial_status: "paid", fulfillment_status: null },
      ...PAYMENT[order.status],
      total_price: total,
      current_total_price: total,
      subtotal_price: "19.00",
      total_discounts: "0.00",
      buyer_accepts_marketing: order.optIn,
      customer_locale: "en-US",
      browser_ip: order.ip ?? null,
      note: null,
      note_attributes: order.session === undefined ? [] : [{ name: "cfbe_session", value: order.session }],
      billing_address: { name: `${firstName} ${lastName}`, zip: "94103", country_code: "US" },
      customer: {
        id: 115310627314723954,
        email,
        first_name: firstName,
        last_name: lastName,
        state: "disabled",
        email_marketing_consent: {
          state: "not_subscribed",
          opt_in_level: "single_opt_in",
          consent_updated_at: null,
        },
      },
      line_items: [{
        id: 866550311766439020,
        variant_id: null,
        product_id: 93,
        title: "A mug",
        name: "A mug",
        quantity: 2,
        price: "9.50",
        sku: "",
      }],
      ...changes,
    });
  },
  sign: (body, { secret, shopUrl }) => ({
    "content-type": "application/json",
    "x-shopify-topic": "orders/updated",
    "x-shopify-hmac-sha256": createHmac("sha256", secret).update(body).digest("base64"),
    "x-shopify-shop-domain": new URL(shopUrl).host,
    "x-shopify-api-version": "2026-10",
    "x-shopify-webhook-id": crypto.randomUUID(),
    "x-shopify-event-id": crypto.randomUUID(),
    "x-shopify-triggered-at": "2025-01-01T12:00:00.000000000Z",
  }),
};

function creationResult(discountCodeBasicCreate: unknown): Response {
  return Response.json({
    data: { discountCodeBasicCreate },
    extensions: {
      cost: {
        requestedQueryCost: 10,
        actualQueryCost: 10,
        throttleStatus: { maximumAvailable: 2000, currentlyAvailable: 1990, restoreRate: 100 },
      },
    },
  });
}
