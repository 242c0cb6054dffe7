import type { ComponentChildren, VNode } from "preact";
import { SHOP_KINDS, type ShopKind } from "../../../shared/shop_kinds.ts";
import { SelectField, TextField } from "../parts/field.tsx";
import { SecretField } from "../parts/secret_field.tsx";
import { lockedBy } from "../setting_lock.ts";
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
      <ForShops view={view} shops={["woocommerce"]}>
        <SecretField path="fields.apiKey" label="Consumer key" secret={checkout.apiKey} />
      </ForShops>
      <ForShops view={view} shops={["woocommerce", "shopify"]}>
        <SecretField
          path="fields.apiSecret"
          label="Consumer secret or access token"
          secret={checkout.apiSecret}
          help="The WooCommerce consumer secret, or the Shopify Admin API access token."
        />
      </ForShops>
    </>
  );
}

/** Fields of some shop systems. The style sheet hides them while another one is selected, also without JavaScript. */
function ForShops(
  { view, shops, children }: { view: View; shops: readonly ShopKind[]; children: ComponentChildren },
): VNode | null {
  const isFixed = lockedBy(view.app, "checkout.shop") !== undefined;
  if (isFixed && !shops.includes(view.app.settings.current().checkout.shop)) return null;
  return <div class={`for-shops ${shops.join(" ")}`}>{children}</div>;
}
