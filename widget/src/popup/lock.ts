/** A popup that the page has thrown away no longer holds it. */
const OPEN = "html:has(cfbe-popup[open])";

/**
 * Keeps the page behind the popup from scrolling, without moving it.
 *
 * By a style sheet of its own, for a policy may forbid style attributes, and they would stay if the page went wrong.
 *
 * @returns lets it scroll again
 */
export function lockScroll(): () => void {
  const html = document.documentElement;
  // The viewport scrolls as the root says, or as the body does while the root says nothing; were it taken from the
  // body, the body would begin to scroll by itself and everything sticky in it would jump.
  const body = getComputedStyle(html).overflow === "visible" ? ">body" : "";
  // The bar goes; its room stays. A page without one has none to keep.
  const gutter = innerWidth > html.clientWidth ? `${OPEN}{scrollbar-gutter:stable!important}` : "";
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(`${OPEN}${body}{overflow:hidden!important}${gutter}`);
  document.adoptedStyleSheets.push(sheet);
  return () => {
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter((other) => other !== sheet);
  };
}
