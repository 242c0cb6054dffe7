/** Keeps the place of the page's scroll bar while the popup is open. Loaded only where scroll bars take up space. */
import { WHILE_OPEN } from "./while_open.ts";

const TRANSPARENT = "rgba(0, 0, 0, 0)";

/**
 * Returns the styles that reserve the place of the scroll bar, in the color of the page behind the backdrop, which does
 * not reach there. Browsers paint that place in the background color of the page, and no images, so the page gets its
 * own color as an image on top. A page that has an image already keeps its background.
 *
 * @param dialog the popup, which is open
 */
export function gutterCss(dialog: HTMLDialogElement): string {
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
  return `${WHILE_OPEN}{scrollbar-gutter:stable!important${background}}`;
}
