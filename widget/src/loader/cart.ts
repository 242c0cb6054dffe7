import type { Context } from "../host/context.ts";
import type { CfbeCart } from "../types.ts";

const METHODS = ["set", "watch", "email", "session", "restored"] satisfies (keyof CfbeCart)[];

/** Creates `cfbe.cart`. Its code is loaded on first use. */
export function createCart(context: Context): CfbeCart {
  const method = (name: keyof CfbeCart) => (value: never) =>
    context.load("checkout")
      .then(({ start }): Promise<unknown> => start(context.base)[name](value))
      .catch(() => undefined);
  return Object.fromEntries(METHODS.map((name) => [name, method(name)])) as unknown as CfbeCart;
}
