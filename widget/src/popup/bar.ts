/** Bars over the top or bottom of the window, with the look of promo bars. */
import type { Load, Parts } from "../host/context.ts";
import css from "./bar.css?inline" with { type: "text" };
import { panelOf } from "./panel.ts";
import panelCss from "./panel.css?inline" with { type: "text" };

/** Returns a function that loads parts. The form gets only the look of a promo bar, which has a close button itself. */
function loadOf(load: Load): Load {
  return (async (name: keyof Parts) => {
    const part = await load(name);
    return "loadLayout" in part ? { loadLayout: () => Promise.resolve(part.addStyles) } : part;
  }) as Load;
}

export const createSurface = panelOf({
  css: panelCss + css,
  source: "promo",
  place({ kind }) {
    const edge = kind === "bar-top" ? "top" : "bottom";
    return { className: edge, edge };
  },
  loadOf,
});
