/** Bars over the top or bottom of the window, with the look of promo bars. */
import css from "./bar.css?inline" with { type: "text" };
import { panelOf } from "./panel.ts";
import panelCss from "./panel.css?inline" with { type: "text" };

export const createSurface = panelOf(panelCss + css, "promo");
