import type { Answer } from "../../../shared/contract.ts";
import type { Context } from "../host/context.ts";
import type { Cfbe, CfbeEventName, CfbeQueue } from "../types.ts";
import { createCart } from "./cart.ts";
import type { Popup } from "./popup.ts";

/** Every event; what a tag manager hears of. */
const EVENTS: CfbeEventName[] = [
  "ready",
  "beforeshow",
  "show",
  "close",
  "beforesubmit",
  "submit",
  "success",
  "error",
];

/** The answer when the server could not be asked, so that there are no texts either; or the page cancelled. */
const REJECTED: Answer = { success: false, code: "rejected", message: "" };

/** Makes `window.cfbe`. */
export function createApi(context: Context, scan: Cfbe["scan"], popup: Popup): Cfbe {
  return {
    ...popup,
    on(event, fn) {
      const type = `cfbe-${event}` as const;
      // One of its own for each call: stopping one must not stop another that has the same function.
      const listener = (heard: Event) => fn(heard as Parameters<typeof fn>[0]);
      document.addEventListener(type, listener);
      return () => document.removeEventListener(type, listener);
    },
    scan,
    mount(element, options = {}) {
      const form = document.createElement("cfbe-form");
      const update: ReturnType<Cfbe["mount"]>["update"] = (changes) => {
        for (const [name, value] of Object.entries(changes)) {
          if (value == null) form.removeAttribute(name);
          else form.setAttribute(name, value);
        }
      };
      update(options);
      element.append(form);
      scan(element);
      return { update, destroy: () => form.remove() };
    },
    subscribe: (signup) =>
      context.load("headless")
        .then(({ subscribe }) => subscribe(context, signup))
        .then((answer) => answer ?? REJECTED, () => REJECTED),
    cart: createCart(context),
    push(fn) {
      try {
        fn(this);
      } catch (error) {
        // One script's mistake must neither stop the ones behind it nor go unseen.
        reportError(error);
      }
    },
  };
}

/** Runs what the page asked for before the script was there, and tells a tag manager of events. */
export function connect(api: Cfbe, queue: unknown, dataLayer: string | undefined): void {
  self.cfbe = api;
  if (dataLayer !== undefined) {
    const name = dataLayer || "dataLayer";
    const page = self as unknown as Record<string, unknown[]>;
    for (const event of EVENTS) {
      api.on(event, ({ type, detail }) => (page[name] ||= []).push({ event: type, ...detail }));
    }
  }
  if (Array.isArray(queue)) (queue as CfbeQueue).forEach((fn) => api.push(fn));
}
