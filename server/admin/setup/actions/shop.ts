import { asSentence } from "../../../providers/port/trouble.ts";
import { z } from "zod";
import { storeShopCheck } from "../../../shops/coupons/shop_check.ts";
import { createTestCoupon } from "../../../shops/coupons/test_coupon.ts";
import { type Action, defineAction } from "../../frame/action.ts";
import { Refusal } from "../../frame/refusal.ts";

/** Actions that call the shop. */
export const shopActions: Action[] = [
  defineAction({
    name: "cfbe_test_coupon",
    title: "Create test coupon",
    group: "provider",
    capability: "operate",
    input: z.object({}),
    async run({ app: { kv, shop, settings, clock, random, activation } }) {
      if (!activation.isActive()) {
        throw new Refusal(409, "deactivated", "cfbe is deactivated and creates no codes. Activate it first.");
      }
      const { coupon, result } = await createTestCoupon({
        shop: shop(),
        settings: settings.current(),
        clock,
        random,
      });
      await storeShopCheck({ kv, clock, settings }, coupon.code, result);
      if (result.kind === "trouble") {
        throw new Refusal(
          502,
          "shop",
          `No code was created: ${
            asSentence(result.reason)
          } Shop URL: ${settings.current().checkout.shopUrl}`,
        );
      }
      return { message: `The shop created the code ${coupon.code}.`, data: coupon, stay: true };
    },
  }),
];
