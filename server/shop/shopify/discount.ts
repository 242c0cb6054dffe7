import { z } from "zod";
import { type ShopResponse, troubleOf } from "../call.ts";
import type { Coupon, CouponResult } from "../port.ts";

/** Pinned: a newer one may rename what is asked for here. Shopify keeps each for a year. */
export const API_VERSION = "2026-10";

const MUTATION = `mutation cfbeCoupon($discount: DiscountCodeBasicInput!) {
  discountCodeBasicCreate(basicCodeDiscount: $discount) {
    codeDiscountNode { id }
    userErrors { field code message }
  }
}`;

/** The body of the request. Source: the Admin GraphQL API's page "discountCodeBasicCreate", 2026-10. */
export function discountRequestBody({ code, kind, amount, createdAt, expiresAt }: Coupon): string {
  const value = kind === "percent"
    ? { percentage: amount / 100 }
    : { discountAmount: { amount: amount.toFixed(2), appliesOnEachItem: false } };
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

const Answer = z.object({
  data: z.object({
    discountCodeBasicCreate: z.object({
      codeDiscountNode: z.object({ id: z.string() }).nullish(),
      userErrors: z.array(z.object({ code: z.string().nullish(), message: z.string().catch("") })),
    }).nullish(),
  }).nullish(),
  errors: z.union([
    z.array(z.object({
      message: z.string().catch(""),
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
type Answer = z.output<typeof Answer>;

/** What the answer means. Errors come with 200 there; 401 and 403 carry a plain `errors` text. */
export function readDiscountResponse(answer: ShopResponse): CouponResult {
  const said = Answer.safeParse(answer.json).data;
  const errors = Array.isArray(said?.errors) ? said.errors : [];
  if (said && errors.some(({ extensions }) => extensions?.code === "THROTTLED")) {
    return {
      kind: "trouble",
      code: "rate_limited",
      reason: "the shop throttles us",
      unknown: false,
      retryAfterMs: refillMs(said),
    };
  }
  const made = said?.data?.discountCodeBasicCreate;
  if (answer.status === 200 && made) {
    if (made.codeDiscountNode && made.userErrors.length === 0) return { kind: "made" };
    if (made.userErrors.some(({ code }) => code === "TAKEN")) return { kind: "made" };
    const words = made.userErrors.map(({ code, message }) => `${code ?? "error"} ${message}`).join("; ");
    const reason = `the shop refuses the code: ${words.slice(0, 200)}`;
    return { kind: "trouble", code: "unexpected", reason, unknown: false };
  }
  const words = typeof said?.errors === "string"
    ? said.errors
    : errors.map(({ message }) => message).join("; ");
  const trouble = troubleOf(answer, words);
  // An error of the whole request is one in which nothing ran.
  return answer.status === 200 && errors.length > 0 && !made ? { ...trouble, unknown: false } : trouble;
}

/** Until the bucket holds what this request costs; a second where it does not say. */
function refillMs({ extensions }: Answer): number {
  if (!extensions) return 1000;
  const { requestedQueryCost, throttleStatus } = extensions.cost;
  const missing = requestedQueryCost - throttleStatus.currentlyAvailable;
  return Math.max(1000, Math.ceil((missing / throttleStatus.restoreRate) * 1000));
}
