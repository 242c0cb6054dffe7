import type { Context } from "../host/context.ts";
import type { CfbeCart } from "../types.ts";

/** Creates `cfbe.cart`. Its code is loaded on first use. */
export function createCart(context: Context): CfbeCart {
  const withCart = <T>(call: (cart: CfbeCart) => Promise<T>): Promise<T | undefined> =>
    context.load("checkout").then(({ start }) => call(start(context.base))).catch(() => undefined);
  return {
    set: (cart) => withCart((checkout) => checkout.set(cart)),
    watch: (selector) => withCart((checkout) => checkout.watch(selector)),
    email: (address) => withCart((checkout) => checkout.email(address)),
    session: () => withCart((checkout) => checkout.session()),
    restored: () => withCart((checkout) => checkout.restored()),
  };
}
