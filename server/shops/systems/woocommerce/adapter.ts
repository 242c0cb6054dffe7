import { Buffer } from "node:buffer";
import { SHOP_BODY_BYTES } from "../../../../shared/limits.ts";
import { parseJson } from "../../../platform/http/request_body.ts";
import { errorCode, post, troubleOf } from "../call.ts";
import { amountText } from "../item.ts";
import type { Coupon, CouponResult, Delivery, Shop, ShopDeps, Verification } from "../port.ts";
import { isBase64Signed } from "../webhook_signature.ts";
import { readWooOrder } from "./order.ts";

const SIGNATURE_HEADER = "X-WC-Webhook-Signature";

/** The unsigned body that WooCommerce sends when a webhook is saved, to test the URL. */
const PING = /^webhook_id=\d{1,20}$/;
const EXISTS = "woocommerce_rest_coupon_code_already_exists";

/**
 * Adapter for WooCommerce: webhooks `order.*`, and coupons through REST API v3. Source: the pages "Webhooks",
 * "Authentication" and "Coupons" of its REST API documentation, and the source of its coupons controller.
 */
export function createWooCommerce({ checkout, hasSite, fetch, clock, timer }: ShopDeps): Shop {
  return {
    name: "woocommerce",
    // Five deliveries in a row without a 2xx response disable a webhook, whatever the reason.
    capabilities: { coupons: true, acceptsClientErrors: false },
    bodyBytes: SHOP_BODY_BYTES,

    missingSettings() {
      const { secret, shopUrl, apiKey, apiSecret } = checkout();
      const missing = (fields: Record<string, string>) =>
        Object.keys(fields).filter((name) => fields[name] === "");
      return {
        orders: hasSite?.() ? [] : missing({ secret }),
        coupons: missing({ shopUrl, apiKey, apiSecret }),
      };
    },

    verify({ headers, body, secrets = [checkout().secret] }: Delivery): Verification {
      const signature = headers.get(SIGNATURE_HEADER);
      if (secrets.some((secret) => isBase64Signed(signature, body, secret))) return { kind: "verified" };
      if (signature === null && body.byteLength < 64 && PING.test(new TextDecoder().decode(body))) {
        return { kind: "ping" };
      }
      return { kind: "refused", reason: signature === null ? "no signature" : "the signature is wrong" };
    },

    read: ({ body }) => readWooOrder(parseJson(body)),

    async makeCoupon(coupon: Coupon, signal): Promise<CouponResult> {
      const { shopUrl, apiKey, apiSecret } = checkout();
      if (shopUrl === "" || apiKey === "" || apiSecret === "") {
        const reason = "the shop's URL or REST key is not set";
        return { kind: "trouble", code: "not_configured", reason, unknown: false };
      }
      const response = await post({ fetch, now: () => clock.now(), timer }, {
        url: `${shopUrl}/wp-json/wc/v3/coupons`,
        headers: { authorization: `Basic ${Buffer.from(`${apiKey}:${apiSecret}`).toString("base64")}` },
        body: JSON.stringify({
          code: coupon.code,
          discount_type: coupon.kind === "percent" ? "percent" : "fixed_cart",
          amount: amountText(coupon.amount),
          // With its zone. WooCommerce documents `date_expires_gmt` but ignores it.
          date_expires: new Date(coupon.expiresAt).toISOString().replace(/\.\d{3}Z$/, "Z"),
          usage_limit: 1,
          description: "Newsletter signup (cfbe)",
        }),
        signal,
      });
      if ("kind" in response) return response;
      const { code } = (response.json ?? {}) as { code?: unknown };
      if (response.status === 201 && String(code).toLowerCase() === coupon.code.toLowerCase()) {
        return { kind: "made" };
      }
      if (response.status === 400 && code === EXISTS) return { kind: "made" };
      return troubleOf(response, errorCode(code));
    },
  };
}
