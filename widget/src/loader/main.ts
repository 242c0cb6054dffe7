/**
 * The script tag: `<script async src="https://news.example/cfbe.js"></script>`.
 *
 * Works as a classic script and as a module, under any file name, before or after the markup, and when inserted by a
 * tag manager. A second copy on a page does nothing. Attributes: `data-manual`, `data-locale`, `data-datalayer`,
 * `data-storage`, `data-checkout` and `nonce`, which also applies to the parts that the script imports.
 */
import { createApi, installApi } from "./api.ts";
import { createContext } from "./context.ts";
import { createFinder } from "./finder.ts";
import { createPopup } from "./popup.ts";
import { findScript } from "./script.ts";

const existing = self.cfbe;
// `window.cfbe` may also be an element of the page with that id.
if (!existing || !("subscribe" in existing)) {
  const script = findScript();
  if (script) {
    const manual = "manual" in script.dataset;
    const { locale, datalayer, storage = "auto", checkout } = script.dataset;
    const context = createContext(new URL(".", script.src).href.slice(0, -1), storage, locale);
    const retries = new Set<() => void>();
    const scan = createFinder(context, manual, retries);
    const popup = createPopup(context, manual, retries);
    const api = createApi(context, scan, popup);
    installApi(api, existing, datalayer);
    if (checkout) api.cart.watch(checkout);
  } else console.warn("[cfbe] no <script>");
}
