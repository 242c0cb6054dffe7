import type { Page } from "playwright-core";

/** Sets the spacing of text that a page has to bear by WCAG 1.4.12, also in open shadow roots. */
export const spaceText = (page: Page): Promise<void> =>
  page.evaluate(() => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(
      "*{line-height:1.5!important;letter-spacing:.12em!important;word-spacing:.16em!important}p{margin-bottom:2em!important}",
    );
    const space = (root: Document | ShadowRoot) => {
      root.adoptedStyleSheets.push(sheet);
      for (const { shadowRoot } of root.querySelectorAll("*")) if (shadowRoot) space(shadowRoot);
    };
    space(document);
  });
