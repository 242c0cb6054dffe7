import { HOOK_BODY_BYTES } from "../../../../shared/limits.ts";
import { parseJson } from "../../../platform/http/request_body.ts";
import { post, troubleOf } from "../call.ts";
import type { Coupon, CouponResult, Shop, ShopDeps } from "../port.ts";
import { readOrder } from "../reading.ts";
import type { CouponRequest } from "./coupon_request.ts";
import { isSigned, SIGNATURE_HEADER, signOrder, TIME_HEADER } from "./signature.ts";

/** Adapter for any shop that can sign and verify requests (docs/shop-hook.md). */
export function createGenericShop({ checkout, fetch, clock, timer }: ShopDeps): Shop {
  return {
    name: "generic",
    capabilities: { coupons: true, acceptsClientErrors: true },
    bodyBytes: HOOK_BODY_BYTES,

    missingSettings() {
      const { secret, shopUrl } = checkout();
      const orders = secret === "" ? ["secret"] : [];
      return { orders, coupons: [...orders, ...(shopUrl === "" ? ["shopUrl"] : [])] };
    },

    verify({ headers, body }) {
      const { secret } = checkout();
      return isSigned(headers, body, { secret, now: clock.now() })
        ? { kind: "verified" }
        : { kind: "refused", reason: "the signature or the timestamp is wrong" };
    },

    read: ({ body }) => readOrder(parseJson(body)),

    async makeCoupon({ createdAt, expiresAt, ...coupon }: Coupon, signal): Promise<CouponResult> {
      const { secret, shopUrl } = checkout();
      if (secret === "" || shopUrl === "") {
        const reason = "the shop's coupon URL or secret is not set";
        return { kind: "trouble", code: "not_configured", reason, unknown: false };
      }
      const body = JSON.stringify(
        {
          type: "coupon.create",
          ...coupon,
          createdAt: new Date(createdAt).toISOString(),
          expiresAt: new Date(expiresAt).toISOString(),
        } satisfies CouponRequest,
      );
      const time = String(Math.floor(clock.now() / 1000));
      const response = await post({ fetch, now: () => clock.now(), timer }, {
        url: shopUrl,
        headers: {
          [TIME_HEADER]: time,
          [SIGNATURE_HEADER]: signOrder(secret, time, new TextEncoder().encode(body)),
        },
        body,
        signal,
      });
      if ("kind" in response) return response;
      const { ok, code, error } = (response.json ?? {}) as { ok?: unknown; code?: unknown; error?: unknown };
      // The response must repeat the code: some pages respond with 200 to every request.
      if (response.status >= 200 && response.status < 300 && ok === true && code === coupon.code) {
        return { kind: "made" };
      }
      return troubleOf(response, ownReason(error));
    },
  };
}

/** Returns what the site's own code says, on one line, shortened, and without the credentials of a URL. */
function ownReason(error: unknown): string {
  if (typeof error !== "string") return "";
  return error.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, " ").replace(/\/\/[^\s/@]+@/g, "//").trim().slice(
    0,
    200,
  );
}
