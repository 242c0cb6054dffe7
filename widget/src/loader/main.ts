/**
 * The script tag: `<script async src="https://news.example/cfbe.js"></script>`.
 *
 * It works as a classic script and as a module, loaded by the page or by a tag manager, before or after the
 * markup, under any name. A second copy on a page does nothing. Attributes: `data-manual`, `data-locale`,
 * `data-datalayer`, `data-storage`, `data-checkout`; a `nonce` reaches what it loads by itself, for imports inherit it.
 */
import { connect, createApi } from "./api.ts";
import { createContext } from "./context.ts";
import { createFinder } from "./finder.ts";
import { createPopup } from "./popup.ts";
import { findScript } from "./script.ts";

const before = self.cfbe;
// `window.cfbe` may also be an element of the page with that id.
if (!before || !("subscribe" in before)) {
  const script = findScript();
  if (script) {
    const manual = "manual" in script.dataset;
    const { locale, datalayer, storage = "auto", checkout } = script.dataset;
    const context = createContext(new URL(".", script.src).href.slice(0, -1), storage, locale);
    const missed = new Set<() => void>();
    const scan = createFinder(context, manual, missed);
    const popup = createPopup(context, manual, missed);
    const api = createApi(context, scan, popup);
    connect(api, before, datalayer);
    if (checkout) api.cart.watch(checkout);
  } else console.warn("[cfbe] no script element");
}
