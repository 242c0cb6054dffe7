import { createGenericShop } from "./generic/adapter.ts";
import type { ShopKind } from "../../../shared/shop_kinds.ts";
import type { Shop, ShopDeps } from "./port.ts";
import { createShopify } from "./shopify/adapter.ts";
import { createWooCommerce } from "./woocommerce/adapter.ts";

/** Returns a function that returns the shop of the current setting `checkout.shop`. */
export function createShops(deps: ShopDeps): () => Shop {
  const shops: Record<ShopKind, Shop> = {
    generic: createGenericShop(deps),
    woocommerce: createWooCommerce(deps),
    shopify: createShopify(deps),
  };
  return () => shops[deps.checkout().shop];
}
