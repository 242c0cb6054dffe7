import type { ComponentChildren, VNode } from "preact";
import { SHOP_KINDS, type ShopKind } from "../../../shared/shop_kinds.ts";
import { SelectField, TextField } from "../parts/field.tsx";
import { SecretField } from "../parts/secret_field.tsx";
import { lockedBy } from "../frame/setting_lock.ts";
import type { View } from "../frame/view.ts";

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
  return (
    <>
      <SelectField
        path="fields.shop"
        label="Shop system"
        options={SHOP_KINDS.map((value) => ({ value, label: SHOP_LABELS[value] }))}
        help={
          <>
            Have it send order webhooks to{" "}
            {SHOP_KINDS.map((kind) => (
              <HelpForShops key={kind} view={view} shops={[kind]}>
                <code>{`${view.app.config.baseUrl}/shop-hook/${kind}`}</code>
              </HelpForShops>
            ))}
            .
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
        help={
          <>
            The shop where coupons are created.
            <HelpForShops view={view} shops={["generic"]}>
              {" "}cfbe sends a signed POST request to exactly this URL for each code. Your shop has to create
              the code and respond with <code>{'{"ok": true, "code": …}'}</code>. For your developer: the file
              {" "}
              <code>docs/shop-hook.md</code> that comes with cfbe has the request and how to verify it.
            </HelpForShops>
          </>
        }
      />
      <ForShops view={view} shops={["woocommerce"]}>
        <SecretField path="fields.apiKey" label="Consumer key" secret={checkout.apiKey} help={WOO_KEY_HELP} />
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

const WOO_KEY_HELP =
  "In WooCommerce, open Settings → Advanced → REST API and add a key with the permission Read/Write. It shows the consumer key and the consumer secret once.";

interface ForShopsProps {
  view: View;
  shops: readonly ShopKind[];
  children: ComponentChildren;
}

/** Fields of some shop systems. The style sheet hides them while another one is selected, also without JavaScript. */
function ForShops({ children, ...props }: ForShopsProps): VNode | null {
  return mayApply(props) ? <div class={classOf(props)}>{children}</div> : null;
}

/** A part of a help text, like `ForShops`. */
function HelpForShops({ children, ...props }: ForShopsProps): VNode | null {
  return mayApply(props) ? <span class={classOf(props)}>{children}</span> : null;
}

const classOf = ({ shops }: Pick<ForShopsProps, "shops">) => `for-shops ${shops.join(" ")}`;

function mayApply({ view, shops }: Omit<ForShopsProps, "children">): boolean {
  const isFixed = lockedBy(view.app, "checkout.shop") !== undefined;
  return !isFixed || shops.includes(view.app.settings.current().checkout.shop);
}
