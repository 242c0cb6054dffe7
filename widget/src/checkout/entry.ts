/** The checkout's part of the widget: loaded when `cfbe.cart` is used, or the script tag has `data-checkout`. */
import { type Cart, CART_FRAGMENT } from "../../../shared/contract.ts";
import type { CfbeCart } from "../types.ts";
import { watchField } from "./field.ts";
import { createOutbox } from "./outbox.ts";
import { keepSession } from "./session.ts";

let checkout: CfbeCart | undefined;

/**
 * Makes `cfbe.cart`, once a page.
 *
 * @param base address of the server's root
 */
export function start(base: string): CfbeCart {
  return checkout ??= create(base);
}

function create(base: string): CfbeCart {
  const session = keepSession(base);
  const outbox = createOutbox(base, session);
  let restoring: Promise<Cart | undefined> | undefined;

  return {
    set: (cart) => outbox.tell("cart", cart),
    watch(selector) {
      try {
        const end = watchField(selector, (email) => void outbox.tell("email", email), outbox.leave);
        // Who leaves in a hurry has no time to fetch one.
        session.get().catch(() => {});
        return Promise.resolve(end);
      } catch (error) {
        console.warn("[cfbe] not a selector:", selector, error);
        return Promise.resolve(undefined);
      }
    },
    session: () => session.get().then(({ session }) => session, () => undefined),
    restored: () => restoring ??= restore(base).catch(() => undefined),
  };
}

/** Fetches the cart that the page's address asks for, and takes that out of the address: a reload is no restoring. */
async function restore(base: string): Promise<Cart | undefined> {
  const link = new RegExp(`^#${CART_FRAGMENT}=([\\w-]+\\.[\\w-]+)$`).exec(location.hash)?.[1];
  if (!link) return undefined;
  history.replaceState(history.state, "", location.pathname + location.search);
  const response = await fetch(`${base}/cart/${link}/items`, { cache: "no-store" });
  return response.ok ? await response.json() : undefined;
}
