import { Buffer } from "node:buffer";
import type { Clock, Random } from "../../platform/deps.ts";
import type { Settings } from "../../settings/schema/schema.ts";
import type { Coupon, CouponResult, Shop } from "../systems/port.ts";
import { chooseCoupon } from "./row.ts";

const PREFIX = "test";
const VALID_DAYS = 1;
const RANDOM_BYTES = 32;

/** A code to check the shop with. It belongs to nobody and is not stored, but the shop accepts it for one order. */
export interface TestCoupon {
  coupon: Coupon;
  result: CouponResult;
}

/** Creates a random code in the shop, with the current discount. It is valid for one day. */
export async function createTestCoupon(
  { shop, settings, clock, random }: { shop: Shop; settings: Settings; clock: Clock; random: Random },
): Promise<TestCoupon> {
  const coupon = chooseCoupon({ ...settings.coupon, prefix: PREFIX, validDays: VALID_DAYS }, {
    now: clock.now(),
    identify: () => Buffer.from(random.bytes(RANDOM_BYTES)).toString("base64url"),
  });
  return { coupon, result: await shop.makeCoupon(coupon) };
}
