/** Every shop system that there is an adapter for; also the last part of its webhook's path. */
export const SHOP_KINDS = ["generic", "woocommerce", "shopify"] as const;
export type ShopKind = (typeof SHOP_KINDS)[number];
