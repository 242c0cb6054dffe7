import { docPage } from "../../platform/words/doc_page.ts";
import type { ComponentChildren, VNode } from "preact";
import { SHOP_KINDS, type ShopKind } from "../../../shared/shop_kinds.ts";
import { settingAt } from "../../settings/schema/schema.ts";
import { Setting } from "../parts/setting.tsx";
import { lockedBy } from "../frame/setting_lock.ts";
import type { View } from "../frame/view.ts";

/** Returns the name of a shop system for a sentence. */
export function shopTitle(kind: ShopKind): string {
  return kind === "generic" ? "Your shop" : settingAt("checkout.shop").about.choices![kind]!;
}

/** The fields that connect the shop. The Checkout and the Coupons page have them. */
export function ShopFields({ view }: { view: View }): VNode {
  const { checkout } = view.app.settings.current();
  return (
    <>
      <Setting of="checkout.shop">
        Have it send order webhooks to{" "}
        {SHOP_KINDS.map((kind) => (
          <HelpForShops key={kind} view={view} shops={[kind]}>
            <code>{`${view.app.config.baseUrl}/shop-hook/${kind}`}</code>
          </HelpForShops>
        ))}
        .
      </Setting>
      <Setting of="checkout.secret" secret={checkout.secret} />
      <Setting of="checkout.shopUrl">
        <HelpForShops view={view} shops={["generic"]}>
          cfbe sends a signed POST request to exactly this URL for each code. Your shop has to create the code
          and respond with <code>{'{"ok": true, "code": …}'}</code>. For your developer:{" "}
          {docPage("shop-hook")} has the request and how to verify it.
        </HelpForShops>
      </Setting>
      <ForShops view={view} shops={["woocommerce"]}>
        <Setting of="checkout.apiKey" secret={checkout.apiKey} />
      </ForShops>
      <ForShops view={view} shops={["woocommerce", "shopify"]}>
        <Setting of="checkout.apiSecret" secret={checkout.apiSecret} />
      </ForShops>
    </>
  );
}

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
