/** Prefix of a form's attributes on a `<div data-cfbe-form="…">`, the alternative for editors that strip custom elements. */
export const PREFIX = "data-cfbe-";

/** Returns an attribute of a form, or of the `<div>` in its place. */
export const attributeOf = (element: Element, name: string): string | null =>
  element.getAttribute(name) ?? element.getAttribute(PREFIX + name);
