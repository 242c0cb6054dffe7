import type { Context } from "../host/context.ts";
import { createApi, installApi } from "./api.ts";
import type { createContext } from "./context.ts";
import { createFinder } from "./finder.ts";
import { createPopup } from "./popup.ts";
import { findScript } from "./script.ts";

/**
 * Starts the widget, unless another copy on the page has.
 *
 * @param contextOf creates the context of the parts
 */
export function install(contextOf: (...of: Parameters<typeof createContext>) => Context): void {
  const existing = self.cfbe;
  // `window.cfbe` may also be an element of the page with that id.
  if (existing && "subscribe" in existing) return;
  const script = findScript();
  if (!script) return console.warn("[cfbe] no <script>");
  const manual = "manual" in script.dataset;
  const { locale, datalayer, storage = "auto", checkout } = script.dataset;
  const context = contextOf(new URL(".", script.src).href.slice(0, -1), storage, locale);
  const retries = new Set<() => void>();
  const scan = createFinder(context, manual, retries);
  const api = createApi(context, scan, createPopup(context, manual, retries));
  installApi(api, existing, datalayer);
  if (checkout) api.cart.watch(checkout);
}
