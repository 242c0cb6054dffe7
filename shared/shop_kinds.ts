/** Supported shop systems; also the last segment of each webhook's path. */
export const SHOP_KINDS = ["generic", "woocommerce", "shopify"] as const;
export type ShopKind = (typeof SHOP_KINDS)[number];
