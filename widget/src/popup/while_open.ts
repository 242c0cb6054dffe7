/**
 * Selects the root element only while a popup, slide-in or bar is in the document, so that a page that removes it is as it
 * was before. Firefox before 121 has no `:has()`: there it matches until the style sheet is removed.
 */
export const WHILE_OPEN = CSS.supports("selector(:has(a))") ? "html:has(cfbe-popup[open])" : "html";
