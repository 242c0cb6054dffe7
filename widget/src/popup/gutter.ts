/** Keeps the place of the page's scroll bar while the popup is open. Loaded only where scroll bars take up space. */
import { WHILE_OPEN } from "./while_open.ts";

const TRANSPARENT = "rgba(0, 0, 0, 0)";
/** In Firefox and WebKit, the place that is reserved for a scroll bar does not take a color. */
const PAINTS_PLACE = navigator.vendor === "Google Inc.";

/**
 * Returns the styles that keep the page from shifting where its scroll bar was, and let that place look like the page
 * behind the backdrop.
 *
 * @param dialog the popup, which is open while the page still has its scroll bar
 */
export const gutterCss = (dialog: HTMLDialogElement): string =>
  `${WHILE_OPEN}{${PAINTS_PLACE ? reserved(dialog) : bordered()}}`;

/**
 * Reserves the place, in the color of the page behind the backdrop, which does not reach there. Chromium paints that place
 * in the background color of the page, and no images, so the page gets its own color as an image on top. A page that has
 * an image already keeps its background.
 */
function reserved(dialog: HTMLDialogElement): string {
  const pages = [document.documentElement, document.body].map((element) => getComputedStyle(element));
  const page = pages.map((style) => style.backgroundColor).find((color) => color !== TRANSPARENT) ?? "Canvas";
  const [, backdrop, share] =
    /^rgba\((.+), ([\d.]+)\)$/.exec(getComputedStyle(dialog, "::backdrop").backgroundColor) ?? [];
  const isPlain = backdrop && !page.startsWith("rgba") &&
    pages.every((style) => style.backgroundImage === "none");
  const background = isPlain
    ? `;background:linear-gradient(${page},${page}) color-mix(in srgb,rgb(${backdrop}) ${
      Number(share) * 100
    }%,${page})!important`
    : "";
  return `scrollbar-gutter:stable!important${background}`;
}

/** Fills the place with a border, which the backdrop covers. What the page has fixed to its edge moves there. */
const bordered = () =>
  `border-right:${innerWidth - document.documentElement.clientWidth}px solid transparent!important`;
