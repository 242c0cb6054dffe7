import { SHOP_BODY_BYTES } from "../../../../shared/limits.ts";
import { parseJson } from "../../../platform/http/request_body.ts";
import { post } from "../call.ts";
import type { CouponResult, Delivery, Shop, ShopDeps, Verification } from "../port.ts";
import { isBase64Signed } from "../webhook_signature.ts";
import { API_VERSION, discountRequestBody, readDiscountResponse } from "./discount.ts";
import { readShopifyOrder } from "./order.ts";

const SIGNATURE_HEADER = "X-Shopify-Hmac-Sha256";
const TOPIC_HEADER = "X-Shopify-Topic";
const SHOP_HEADER = "X-Shopify-Shop-Domain";

/** The topics whose payload is an order; `orders/edited` and `orders/delete` have other payloads. */
const ORDER_TOPICS = [
  "orders/create",
  "orders/updated",
  "orders/paid",
  "orders/cancelled",
  "orders/fulfilled",
  "orders/partially_fulfilled",
];

/**
 * Adapter for Shopify: webhooks `orders/*`, and discount codes through the Admin GraphQL API. Source: the pages "Webhooks" and
 * "discountCodeBasicCreate" of shopify.dev.
 */
export function createShopify({ checkout, fetch, clock, timer }: ShopDeps): Shop {
  return {
    name: "shopify",
    // Shopify retries a delivery without a 2xx response eight times in four hours, then removes the subscription.
    capabilities: { coupons: true, acceptsClientErrors: false },
    bodyBytes: SHOP_BODY_BYTES,

    missingSettings() {
      const { secret, shopUrl, apiSecret } = checkout();
      const missing = (fields: Record<string, string>) =>
        Object.keys(fields).filter((name) => fields[name] === "");
      return { orders: missing({ secret, shopUrl }), coupons: missing({ shopUrl, apiSecret }) };
    },

    verify({ headers, body }: Delivery): Verification {
      const { secret, shopUrl } = checkout();
      if (!isBase64Signed(headers.get(SIGNATURE_HEADER), body, secret)) {
        return { kind: "refused", reason: "the signature is wrong" };
      }
      // An app uses the same secret for every shop where it is installed.
      if (shopUrl === "" || headers.get(SHOP_HEADER)?.toLowerCase() !== new URL(shopUrl).host) {
        return { kind: "refused", reason: "the webhook is from another shop" };
      }
      return { kind: "verified" };
    },

    read({ headers, body }) {
      const topic = headers.get(TOPIC_HEADER) ?? "";
      if (!ORDER_TOPICS.includes(topic)) {
        return { kind: "ignored", reason: "the topic is not about an order" };
      }
      return readShopifyOrder(parseJson(body));
    },

    async makeCoupon(coupon, signal): Promise<CouponResult> {
      const { shopUrl, apiSecret } = checkout();
      if (shopUrl === "" || apiSecret === "") {
        const reason = "the shop's URL or access token is not set";
        return { kind: "trouble", code: "not_configured", reason, unknown: false };
      }
      const response = await post({ fetch, now: () => clock.now(), timer }, {
        url: `${shopUrl}/admin/api/${API_VERSION}/graphql.json`,
        headers: { "X-Shopify-Access-Token": apiSecret },
        body: discountRequestBody(coupon),
        signal,
      });
      return "kind" in response ? response : readDiscountResponse(response);
    },
  };
}
