import { z } from "zod";
import { errorCode, type ShopResponse, troubleOf } from "../call.ts";
import { amountText } from "../item.ts";
import type { Coupon, CouponResult } from "../port.ts";

/** Pinned, because a newer version may rename fields. Shopify supports each version for a year. */
export const API_VERSION = "2026-10";

const MUTATION = `mutation cfbeCoupon($discount: DiscountCodeBasicInput!) {
  discountCodeBasicCreate(basicCodeDiscount: $discount) {
    codeDiscountNode { id }
    userErrors { field code message }
  }
}`;

/** Returns the body of the request that creates a code. Source: the Admin GraphQL API's page "discountCodeBasicCreate", 2026-10. */
export function discountRequestBody({ code, kind, amount, createdAt, expiresAt }: Coupon): string {
  const value = kind === "percent"
    ? { percentage: amount / 100 }
    : { discountAmount: { amount: amountText(amount), appliesOnEachItem: false } };
  return JSON.stringify({
    query: MUTATION,
    variables: {
      discount: {
        title: `Newsletter signup ${code}`,
        code,
        startsAt: new Date(createdAt).toISOString(),
        endsAt: new Date(expiresAt).toISOString(),
        usageLimit: 1,
        context: { all: "ALL" },
        customerGets: { value, items: { all: true } },
      },
    },
  });
}

const ResponseBody = z.object({
  data: z.object({
    discountCodeBasicCreate: z.object({
      codeDiscountNode: z.object({ id: z.string() }).nullish(),
      userErrors: z.array(z.object({ code: z.string().nullish() })),
    }).nullish(),
  }).nullish(),
  errors: z.union([
    z.array(z.object({
      extensions: z.object({ code: z.string().optional() }).optional().catch(undefined),
    })),
    z.string(),
  ]).optional(),
  extensions: z.object({
    cost: z.object({
      requestedQueryCost: z.number(),
      throttleStatus: z.object({ currentlyAvailable: z.number(), restoreRate: z.number().positive() }),
    }),
  }).optional().catch(undefined),
});
type ResponseBody = z.output<typeof ResponseBody>;

/** Reads the response. Errors have the status 200; 401 and 403 have a plain string in `errors`. */
export function readDiscountResponse(response: ShopResponse): CouponResult {
  const body = ResponseBody.safeParse(response.json).data;
  const errors = Array.isArray(body?.errors) ? body.errors : [];
  if (body && errors.some(({ extensions }) => extensions?.code === "THROTTLED")) {
    return {
      kind: "trouble",
      code: "rate_limited",
      reason: "the shop is rate limiting requests",
      unknown: false,
      retryAfterMs: refillMs(body),
    };
  }
  const made = body?.data?.discountCodeBasicCreate;
  if (response.status === 200 && made) {
    if (made.codeDiscountNode && made.userErrors.length === 0) return { kind: "made" };
    if (made.userErrors.some(({ code }) => code === "TAKEN")) return { kind: "made" };
    const details = made.userErrors.map(({ code }) => errorCode(code) || "no code").join(", ");
    const reason = `the shop rejected the code: ${details.slice(0, 200)}`;
    return { kind: "trouble", code: "unexpected", reason, unknown: false };
  }
  const codes = errors.map(({ extensions }) => errorCode(extensions?.code)).filter((code) => code !== "");
  const trouble = troubleOf(response, codes.join(", ").slice(0, 200));
  // After an error of the whole request, nothing was executed.
  return response.status === 200 && errors.length > 0 && !made ? { ...trouble, unknown: false } : trouble;
}

/** Returns how long until the rate limit bucket can pay for the request, in milliseconds; 1 s if unknown. */
function refillMs({ extensions }: ResponseBody): number {
  if (!extensions) return 1000;
  const { requestedQueryCost, throttleStatus } = extensions.cost;
  const missing = requestedQueryCost - throttleStatus.currentlyAvailable;
  return Math.max(1000, Math.ceil((missing / throttleStatus.restoreRate) * 1000));
}
