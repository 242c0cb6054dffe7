import { z } from "zod";

/** The body of the signed request to the shop's coupon URL. */
export const CouponRequestSchema = z.object({
  type: z.literal("coupon.create").meta({
    description: "Check it, because orders are signed with the same secret.",
  }),
  code: z.string().min(1).max(60).meta({
    description: "Valid for one order. If the code exists already, respond as if it were new.",
  }),
  kind: z.enum(["percent", "fixed"]),
  amount: z.number().positive().meta({ description: "Percentage, or an amount in your currency." }),
  createdAt: z.iso.datetime(),
  expiresAt: z.iso.datetime(),
}).meta({ title: "Coupon request" });

export type CouponRequest = z.output<typeof CouponRequestSchema>;
