import type { IssuedCoupon } from "../../shops/coupons/issued.ts";
import type { TimelineEntry } from "./timeline.ts";

const MAIL_TITLES: Record<Exclude<IssuedCoupon["mail"], "none">, [TimelineEntry["tone"], string]> = {
  sending: ["plain", "Coupon email being sent"],
  sent: ["good", "Coupon emailed"],
  refused: ["bad", "Coupon email rejected by the provider"],
  unknown: ["plain", "Coupon email with unknown result, not repeated"],
};

/** Returns the events of a person's coupon, oldest first; none before the shop has created its code. Pure. */
export function couponEvents(coupon: IssuedCoupon | undefined): TimelineEntry[] {
  if (!coupon?.created) return [];
  const assigned: TimelineEntry = {
    at: coupon.createdAt,
    kind: "coupon",
    title: "Coupon code assigned",
    detail: `${coupon.code}.`,
    tone: "plain",
  };
  if (coupon.mail === "none" || coupon.mailedAt === undefined) return [assigned];
  const [tone, title] = MAIL_TITLES[coupon.mail];
  return [assigned, { at: coupon.mailedAt, kind: "coupon", title, tone }];
}
