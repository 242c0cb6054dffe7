import type { SubscribeResponse } from "../../../shared/contract.ts";
import type { Context } from "../host/context.ts";
import type { Cfbe, CfbeCart, CfbeEventName, CfbeQueue, FormOptions } from "../types.ts";
import type { Popup } from "./popup.ts";

/** All events. They are also pushed to the data layer of a tag manager. */
const EVENTS = "ready beforeshow show close beforesubmit submit success error".split(" ") as CfbeEventName[];

/** Result if the settings, with the message texts, could not be fetched, or if the page canceled the signup. */
const REJECTED: SubscribeResponse = { success: false, code: "rejected", message: "" };

const CART_METHODS = "set watch email session restored".split(" ") as (keyof CfbeCart)[];

/** Creates `cfbe.cart`. Its code is loaded on first use. */
function createCart(context: Context): CfbeCart {
  const method = (name: keyof CfbeCart) => (value: never) =>
    context.load("checkout")
      .then(({ start }): Promise<unknown> => start(context.base)[name](value))
      .catch(() => undefined);
  return Object.fromEntries(CART_METHODS.map((name) => [name, method(name)])) as unknown as CfbeCart;
}

/** Creates `window.cfbe`. */
export function createApi(context: Context, scan: Cfbe["scan"], popup: Popup): Cfbe {
  return {
    ...popup,
    on(event, fn) {
      const type = `cfbe-${event}` as const;
      // A separate listener for each call, so that removing one does not remove another with the same function.
      const listener = (event: Event) => fn(event as Parameters<typeof fn>[0]);
      document.addEventListener(type, listener);
      return () => document.removeEventListener(type, listener);
    },
    scan,
    mount(element, options = {}) {
      const form = document.createElement("cfbe-form");
      const update: ReturnType<Cfbe["mount"]>["update"] = (changes) => {
        for (const name in changes) {
          const value = changes[name as keyof FormOptions];
          form[value == null ? "removeAttribute" : "setAttribute"](name, value!);
        }
      };
      update(options);
      element.append(form);
      scan(element);
      return { update, destroy: () => form.remove() };
    },
    subscribe: (signup) =>
      context.load("headless")
        .then(({ start }) => start(context, signup))
        .catch(() => undefined)
        .then((answer) => answer ?? REJECTED),
    cart: createCart(context),
    push(fn) {
      try {
        fn(this);
      } catch (error) {
        // An error in one script must not stop the next ones, and must be visible in the console.
        reportError(error);
      }
    },
  };
}

/**
 * Publishes `window.cfbe`, and runs the functions that the page queued before the script loaded.
 *
 * @param dataLayer name of the array to push events to; empty for `dataLayer`, undefined to push none
 */
export function installApi(api: Cfbe, queue: unknown, dataLayer: string | undefined): void {
  self.cfbe = api;
  if (dataLayer !== undefined) {
    const name = dataLayer || "dataLayer";
    const globals = self as unknown as Record<string, unknown[]>;
    for (const event of EVENTS) {
      api.on(event, ({ type, detail }) => (globals[name] ||= []).push({ event: type, ...detail }));
    }
  }
  // An element of the page with the ID `cfbe` has no `forEach`.
  (queue as CfbeQueue | undefined)?.forEach?.((fn) => api.push(fn));
}
