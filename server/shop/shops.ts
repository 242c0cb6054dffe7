import type { Clock, Fetch } from "../deps.ts";
import type { Settings } from "../settings/schema.ts";
import { createGenericShop } from "./generic/adapter.ts";
import type { Shop, ShopKind } from "./port.ts";
import { createShopify } from "./shopify/adapter.ts";
import { createWooCommerce } from "./woocommerce/adapter.ts";

/** What every adapter works with. Settings are asked for at each call, so that what an admin saves counts at once. */
export interface ShopDeps {
  checkout: () => Settings["checkout"];
  fetch: Fetch;
  clock: Clock;
  /** How long a call may take, milliseconds; 10 s unless given. */
  timeoutMs?: number;
}

/** @returns the shop that the Checkout tab names now */
export function createShops(deps: ShopDeps): () => Shop {
  const shops: Record<ShopKind, Shop> = {
    generic: createGenericShop(deps),
    woocommerce: createWooCommerce(deps),
    shopify: createShopify(deps),
  };
  return () => shops[deps.checkout().shop];
}
