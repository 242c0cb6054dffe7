/** The checkout part of the widget. Loaded when a page uses `cfbe.cart`, or `data-checkout` on the script tag. */
import { type Cart, CART_FRAGMENT } from "../../../shared/contract.ts";
import type { CfbeCart } from "../types.ts";
import { looksLikeEmail, watchEmailField } from "./email_field.ts";
import { createOutbox } from "./outbox.ts";
import { createSessionStore } from "./session.ts";

let checkout: CfbeCart | undefined;
let latestCart: Cart | undefined;
let onCart: ((cart: Cart) => void) | undefined;

/** Calls a function with the cart that the page reports, now if there is one, and after each change. */
export function watchCart(listener: (cart: Cart) => void): void {
  onCart = listener;
  if (latestCart) listener(latestCart);
}

/**
 * Returns the page's `cfbe.cart`. Creates it on the first call.
 *
 * @param base URL of the server's root, without a trailing slash
 */
export function start(base: string): CfbeCart {
  return checkout ??= create(base);
}

function create(base: string): CfbeCart {
  const session = createSessionStore(base);
  const outbox = createOutbox(base, session);
  let restoring: Promise<Cart | undefined> | undefined;

  return {
    set(cart) {
      latestCart = cart;
      onCart?.(cart);
      return outbox.send("cart", cart);
    },
    watch(selector) {
      try {
        const stop = watchEmailField(selector, (email) => void outbox.send("email", email), outbox.flush);
        // There is no time to fetch a session when the visitor leaves the page.
        session.get().catch(() => {});
        return Promise.resolve(stop);
      } catch (error) {
        console.warn("[cfbe] invalid selector:", selector, error);
        return Promise.resolve(undefined);
      }
    },
    email: (address) => looksLikeEmail(address) ? outbox.send("email", address) : Promise.resolve(false),
    async session() {
      await session.confirm().catch(() => {});
      return await session.get().then(({ session }) => session, () => undefined);
    },
    restored: () => restoring ??= restore(base).catch(() => undefined),
  };
}

/** Fetches the cart that the URL links to. Removes the link from the URL, so that a reload does not restore it. */
async function restore(base: string): Promise<Cart | undefined> {
  const link = new RegExp(`^#${CART_FRAGMENT}=([\\w-]+\\.[\\w-]+)$`).exec(location.hash)?.[1];
  if (!link) return undefined;
  history.replaceState(history.state, "", location.pathname + location.search);
  const response = await fetch(`${base}/cart/${link}/items`, { cache: "no-store" });
  return response.ok ? await response.json() : undefined;
}
