import type { Settings } from "../../settings/schema/schema.ts";
import type { Capabilities } from "../../providers/port/capabilities.ts";
import type { Shop } from "../../shops/systems/port.ts";

/** A module that is on, but lacks settings that it needs. */
export interface IncompleteModule {
  module: "orders" | "coupons" | "carts" | "orderEmails";
  /**
   * Paths of the empty settings, such as `checkout.secret`. `checkout.shop` means that the shop system cannot do what
   * the module needs, and `general.provider` that the provider can't: it is then the only one.
   */
  missing: string[];
}

/** Returns the modules that are on but incomplete. `orders` stands for all modules that receive the shop's orders. */
export function incompleteModules(
  { general, coupon, carts }: Settings,
  shop: Shop,
  { transactional, triggered }: Pick<Capabilities, "transactional" | "triggered">,
): IncompleteModule[] {
  const { modules } = general;
  const { orders, coupons } = shop.missingSettings();
  const inCheckout = (fields: readonly string[]) => fields.map((field) => `checkout.${field}`);
  const needs: Record<IncompleteModule["module"], string[]> = {
    orders: modules.checkout || modules.contactSync || modules.orderEmails ? inCheckout(orders) : [],
    coupons: !modules.coupons
      ? []
      : !transactional
      ? ["general.provider"]
      : shop.capabilities.coupons
      ? [...inCheckout(coupons), ...(coupon.template === "" ? ["coupon.template"] : [])]
      : ["checkout.shop"],
    carts: !modules.carts
      ? []
      : !triggered
      ? ["general.provider"]
      : carts.template === ""
      ? ["carts.template"]
      : [],
    orderEmails: modules.orderEmails && !transactional ? ["general.provider"] : [],
  };
  const all = Object.entries(needs) as [IncompleteModule["module"], string[]][];
  return all.flatMap(([module, missing]) => missing.length > 0 ? [{ module, missing }] : []);
}
