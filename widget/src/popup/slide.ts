/** Slide-ins: a panel in a lower corner, on phones a sheet at the bottom. */
import { panelOf } from "./panel.ts";
import panelCss from "./panel.css?inline" with { type: "text" };
import css from "./slide.css?inline" with { type: "text" };

export const createSurface = panelOf(panelCss + css, "popup");
