import type { VNode } from "preact";
import { SHOP_KINDS, type ShopKind } from "../../../shared/shop_kinds.ts";
import { SelectField, TextField } from "../parts/field.tsx";
import { SecretField } from "../parts/secret_field.tsx";
import type { View } from "../view.ts";

const SHOP_LABELS: Record<ShopKind, string> = {
  generic: "Other (generic webhook)",
  woocommerce: "WooCommerce",
  shopify: "Shopify",
};

/** Returns the name of a shop system for a sentence. */
export function shopTitle(kind: ShopKind): string {
  return kind === "generic" ? "Your shop" : SHOP_LABELS[kind];
}

/** The fields that connect the shop. The Checkout and the Coupons page have them. */
export function ShopFields({ view }: { view: View }): VNode {
  const { checkout } = view.app.settings.current();
  const hook = `${view.app.config.baseUrl}/shop-hook/${checkout.shop}`;
  return (
    <>
      <SelectField
        path="fields.shop"
        label="Shop system"
        options={SHOP_KINDS.map((value) => ({ value, label: SHOP_LABELS[value] }))}
        help={
          <>
            Have it send order webhooks to <code>{hook}</code>.
          </>
        }
      />
      <SecretField
        path="fields.secret"
        label="Secret"
        secret={checkout.secret}
        help="Secret used to sign order webhooks. Without it, all orders are rejected."
      />
      <TextField
        path="fields.shopUrl"
        label="Shop URL"
        placeholder="https://shop.example"
        help="The shop where coupons are created."
      />
      <SecretField
        path="fields.apiKey"
        label="Consumer key"
        secret={checkout.apiKey}
        help="WooCommerce only."
      />
      <SecretField
        path="fields.apiSecret"
        label="Consumer secret or access token"
        secret={checkout.apiSecret}
        help="The WooCommerce consumer secret, or the Shopify Admin API access token."
      />
    </>
  );
}
