import { tabs } from "../../settings/schema/schema.ts";
import { ManualClock } from "../../../dev/testing/manual_clock.ts";
import { shopConformance } from "./conformance.ts";
import { SHOP_KINDS } from "../../../shared/shop_kinds.ts";
import { createShops } from "./shops.ts";
import { startShop } from "./testing/shop_double.ts";

for (const kind of SHOP_KINDS) {
  shopConformance(kind, () => {
    const clock = new ManualClock();
    const double = startShop(kind, () => clock.now());
    const adapter = (settings: Partial<typeof double.settings>) => {
      const checkout = tabs.checkout.parse({ ...double.settings, ...settings });
      return createShops({ checkout: () => checkout, fetch, clock })();
    };
    return {
      shop: adapter({}),
      double,
      adapter,
      now: () => clock.now(),
      [Symbol.asyncDispose]: () => double[Symbol.asyncDispose](),
    };
  });
}
