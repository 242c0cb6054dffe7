import { Buffer } from "node:buffer";
import { createHmac } from "node:crypto";
import type { Dialect, ShopCoupon } from "./shop_double.ts";

const KEY = "ck_0123456789abcdef0123456789abcdef01234567";
const SECRET = "cs_89abcdef0123456789abcdef0123456789abcdef";

/** WooCommerce, from its REST API documentation (v3) and its source. */
export const wooDialect: Dialect = {
  settings: (url) => ({ shopUrl: `${url}/shop`, apiKey: KEY, apiSecret: SECRET }),

  async readRequest(request) {
    const body = await request.json();
    const basic = `Basic ${Buffer.from(`${KEY}:${SECRET}`).toString("base64")}`;
    if (request.headers.get("authorization") !== basic) {
      return failure(
        401,
        "woocommerce_rest_cannot_create",
        "Sorry, you are not allowed to create resources.",
      );
    }
    if (request.method !== "POST" || new URL(request.url).pathname !== "/shop/wp-json/wc/v3/coupons") {
      return failure(404, "rest_no_route", "No route was found matching the URL and request method.");
    }
    if (!["percent", "fixed_cart"].includes(body.discount_type) || typeof body.amount !== "string") {
      return failure(400, "rest_invalid_param", "Invalid parameter(s): discount_type");
    }
    return {
      coupon: {
        // WooCommerce stores codes in lower case.
        code: body.code.toLowerCase(),
        kind: body.discount_type === "percent" ? "percent" : "fixed",
        amount: Number(body.amount),
        // WooCommerce ignores `date_expires_gmt`, and reads times without a zone as local.
        expiresAt: /Z$/.test(body.date_expires ?? "") ? Date.parse(body.date_expires) : Infinity,
      },
    };
  },
  created: (coupon) => Response.json(couponJson(coupon), { status: 201 }),
  exists: () => failure(400, "woocommerce_rest_coupon_code_already_exists", "The coupon code already exists"),
  rateLimited: () => new Response("Too many requests", { status: 429, headers: { "retry-after": "60" } }),

  body(order, changes = {}) {
    const { id, status, email, total, currency, firstName, lastName, orderedAt, changedAt } = order;
    // Local times have no zone. In this shop they are an hour ahead.
    const local = (time: string) => new Date(Date.parse(time) + 3_600_000).toISOString().slice(0, 19);
    return JSON.stringify({
      id,
      parent_id: 0,
      number: String(id),
      order_key: "wc_order_58d2d042d1d",
      created_via: "checkout",
      version: "9.4.0",
      status,
      currency,
      date_created: local(orderedAt),
      date_created_gmt: orderedAt.slice(0, 19),
      date_modified: local(changedAt),
      date_modified_gmt: changedAt.slice(0, 19),
      discount_total: "0.00",
      shipping_total: "10.00",
      total,
      total_tax: "1.35",
      prices_include_tax: false,
      customer_id: 0,
      customer_ip_address: order.ip ?? "",
      customer_user_agent: "",
      customer_note: "",
      billing: {
        first_name: firstName,
        last_name: lastName,
        company: "",
        address_1: "969 Market",
        city: "San Francisco",
        postcode: "94103",
        country: "US",
        email,
        phone: "(555) 555-5555",
      },
      payment_method: "bacs",
      date_paid: null,
      date_paid_gmt: null,
      meta_data: [
        { id: 13106, key: "_download_permissions_granted", value: "yes" },
        { id: 13107, key: "_cfbe_opt_in", value: order.optIn ? "1" : "" },
        ...(order.session === undefined ? [] : [{ id: 13108, key: "_cfbe_session", value: order.session }]),
      ],
      line_items: [{
        id: 315,
        name: "A mug",
        product_id: 93,
        variation_id: 0,
        quantity: 2,
        subtotal: "19.00",
        total: "19.00",
        sku: "",
        price: 9.5,
        image: { id: "", src: "" },
        parent_name: null,
        meta_data: [],
      }],
      refunds: [],
      ...changes,
    });
  },
  sign: (body, { secret, shopUrl }) => ({
    "content-type": "application/json",
    "user-agent": "WooCommerce/9.4.0 Hookshot (WordPress/6.7)",
    "x-wc-webhook-source": `${shopUrl}/`,
    "x-wc-webhook-topic": "order.updated",
    "x-wc-webhook-resource": "order",
    "x-wc-webhook-event": "updated",
    "x-wc-webhook-signature": createHmac("sha256", secret).update(body).digest("base64"),
    "x-wc-webhook-id": "142",
    "x-wc-webhook-delivery-id": crypto.randomUUID().replaceAll("-", ""),
  }),
};

function failure(status: number, code: string, message: string): Response {
  return Response.json({ code, message, data: { status } }, { status });
}

function couponJson({ code, amount, kind, expiresAt }: ShopCoupon) {
  return {
    id: 719,
    code,
    amount: amount.toFixed(2),
    status: "publish",
    discount_type: kind === "percent" ? "percent" : "fixed_cart",
    description: "",
    date_expires_gmt: new Date(expiresAt).toISOString().slice(0, 19),
    usage_count: 0,
    usage_limit: 1,
  };
}
