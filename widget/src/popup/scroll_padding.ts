/**
 * Keeps what gets the focus from ending up behind a panel: while it is open, the browser scrolls the page as if the
 * covered part of the window were not there. Nothing in the page moves by that.
 *
 * Uses a constructed style sheet, because a content security policy may forbid style attributes. Its rule matches only
 * while the panel is in the document, so it has no effect if the page removed the panel.
 *
 * @param edge the edge of the window that the panel covers
 * @param signal removes the style sheet
 */
export function padScroll(panel: Element, edge: "top" | "bottom", signal: AbortSignal): void {
  const property = `scroll-padding-${edge}`;
  const own = parseFloat(getComputedStyle(document.documentElement).getPropertyValue(property)) || 0;
  const sheet = new CSSStyleSheet();
  document.adoptedStyleSheets.push(sheet);
  const observer = new ResizeObserver(() => {
    const covered = edge === "top"
      ? panel.getBoundingClientRect().bottom
      : innerHeight - panel.getBoundingClientRect().top;
    sheet.replaceSync(`html:has(cfbe-popup[open]){${property}:${own + covered}px!important}`);
  });
  observer.observe(panel);
  signal.addEventListener("abort", () => {
    observer.disconnect();
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter((other) => other !== sheet);
  });
}
