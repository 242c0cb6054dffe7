import { WHILE_OPEN } from "./while_open.ts";

/**
 * Keeps the page behind the popup from scrolling, without shifting its content.
 *
 * Uses a constructed style sheet: a content security policy may forbid style attributes, and attributes would remain
 * if the page removed the popup.
 *
 * @param gutter styles that keep the place of the scroll bar
 * @returns a function that lets the page scroll again
 */
export function lockScroll(gutter: string): () => void {
  // The viewport takes its overflow from the root element, or from the body if the root's overflow is visible.
  // Setting the wrong one would turn the body into a scroll container, and its sticky elements would jump.
  const body = getComputedStyle(document.documentElement).overflow === "visible" ? ">body" : "";
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(`${WHILE_OPEN}${body}{overflow:hidden!important}${gutter}`);
  document.adoptedStyleSheets.push(sheet);
  return () => {
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter((other) => other !== sheet);
  };
}
