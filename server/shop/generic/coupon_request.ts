import { z } from "zod";

/** What the shop is asked to make: the body of the signed request to its coupon address. */
export const CouponRequestSchema = z.object({
  type: z.literal("coupon.create").meta({
    description: "Check it: orders that travel the other way are signed with the same secret.",
  }),
  code: z.string().min(1).max(60).meta({
    description: "Good for one order. One that you have already is answered as if it were new.",
  }),
  kind: z.enum(["percent", "fixed"]),
  amount: z.number().positive().meta({ description: "Per cent, or money in your currency." }),
  createdAt: z.iso.datetime(),
  expiresAt: z.iso.datetime(),
}).meta({ title: "Coupon request" });

export type CouponRequest = z.output<typeof CouponRequestSchema>;
