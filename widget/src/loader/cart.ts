import type { Context } from "../host/context.ts";
import type { CfbeCart } from "../types.ts";

/** `cfbe.cart`, whose code comes with its first use. */
export function createCart(context: Context): CfbeCart {
  const use = <T>(ask: (cart: CfbeCart) => Promise<T>): Promise<T | undefined> =>
    context.load("checkout").then(({ start }) => ask(start(context.base))).catch(() => undefined);
  return {
    set: (cart) => use((checkout) => checkout.set(cart)),
    watch: (selector) => use((checkout) => checkout.watch(selector)),
    session: () => use((checkout) => checkout.session()),
    restored: () => use((checkout) => checkout.restored()),
  };
}
