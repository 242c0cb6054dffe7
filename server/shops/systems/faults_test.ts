import assert from "node:assert/strict";
import type { Clock } from "../../platform/deps.ts";
import { transport } from "../../platform/http/outbound/transport.ts";
import { tabs } from "../../settings/schema/schema.ts";
import { ManualClock } from "../../../dev/testing/manual_clock.ts";
import type { Fault } from "../../../dev/testing/faulty/faults.ts";
import { forwardTo, startFaulty } from "../../../dev/testing/faulty/faulty.ts";
import { callUnderFaults } from "../../../dev/testing/faulty/call_under_faults.ts";
import { SHOP_KINDS, type ShopKind } from "../../../shared/shop_kinds.ts";
import type { Shop } from "./port.ts";
import { createShops } from "./shops.ts";
import { type ShopDouble, startShop } from "./testing/shop_double.ts";

const DAY_MS = 86_400_000;

/** Returns an adapter that reaches the shop through another URL. */
function adapterAt(
  url: string,
  { kind, settings, url: own }: ShopDouble,
  clock: ManualClock,
  timer?: Pick<Clock, "sleep">,
): Shop {
  const shopUrl = settings.shopUrl!.replace(own, url);
  const checkout = tabs.checkout.parse({ ...settings, shop: kind, shopUrl });
  return createShops({ checkout: () => checkout, fetch: transport, clock, ...(timer && { timer }) })();
}

/** Returns a coupon with a separate code for each fault. */
const couponFor = (fault: Fault, now: number) => ({
  code: `HELLO-${fault.replace(/\W/g, "").toUpperCase()}`,
  kind: "percent" as const,
  amount: 10,
  createdAt: now,
  expiresAt: now + DAY_MS,
});

async function underFaults(kind: ShopKind): Promise<void> {
  const clock = new ManualClock();
  await using double = startShop(kind, () => clock.now());
  await callUnderFaults({
    name: `${kind}.makeCoupon`,
    effect: "writes",
    expectedKind: "made",
    call: ({ url, timer, signal }, fault) =>
      adapterAt(url, double, clock, timer).makeCoupon(couponFor(fault, clock.now()), signal),
  }, forwardTo(double.url));
}

for (const kind of SHOP_KINDS) {
  Deno.test(`${kind}: with any network fault, a coupon request ends in time, is sent once and reports whether it may have had an effect`, () =>
    underFaults(kind));
}

Deno.test("if nothing listens at the shop's URL, the coupon was certainly not created", async () => {
  const clock = new ManualClock();
  const front = await startFaulty(() => new Response());
  await front[Symbol.asyncDispose]();
  for (const kind of SHOP_KINDS) {
    await using double = startShop(kind, () => clock.now());
    const coupon = couponFor("redirects", clock.now());
    const result = await adapterAt(front.url, double, clock).makeCoupon(coupon);
    assert.ok(result.kind === "trouble" && !result.unknown, kind);
  }
});
