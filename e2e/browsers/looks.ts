/** What of a page's look can be compared between browsers. */

/** Defines `all(selector)`, which returns the elements of a page and its open shadow roots, in their order. */
export const ALL =
  `const all = (selector, root = document) => [...root.querySelectorAll("*")].flatMap((element) => [
  ...element.matches(selector) ? [element] : [],
  ...element.shadowRoot ? all(selector, element.shadowRoot) : [],
]);`;

/** A page of any browser, driven by any protocol. */
export interface AnyPage {
  goto(url: string): Promise<unknown>;
  evaluate(expression: string): Promise<unknown>;
}

/** The parts of a form. */
export const PARTS = ["form", "heading", "text", "label", "input", "error", "button", "close"].map((part) =>
  `[part~=${part}]`
);

/** The elements of the pages that the service itself shows visitors. */
export const PAGE_PARTS = [
  "body",
  "main",
  "h1",
  "p.text",
  "label",
  "input[type=email]",
  "select",
  "button",
  "img",
];

/** The colors and the border of elements, by their selectors. */
export type Look = Record<string, string>;

/** Returns the look of the first element of each selector that a page has. */
export const lookOf = (page: AnyPage, selectors: readonly string[]): Promise<Look> =>
  page.evaluate(`(() => {
    ${ALL}
    return Object.fromEntries(${JSON.stringify(selectors)}.flatMap((selector) => {
      const [element] = all(selector);
      if (!element) return [];
      const { color, backgroundColor, borderTopStyle, borderTopWidth } = getComputedStyle(element);
      return [[selector, [color, backgroundColor, borderTopStyle, borderTopWidth].join(" ")]];
    }));
  })()`) as Promise<Look>;
