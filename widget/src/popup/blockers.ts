/** Finds the elements of a page that currently block the popup. */
import type { PopupRules } from "../../../shared/public_settings.ts";
import type { PopupBlocker } from "../types.ts";

const FIELD = "input:not([type=button],[type=submit],[type=reset],[type=checkbox],[type=radio])," +
  // The focus inside a cross-origin frame is unknown: it may be in a card number field.
  "textarea,select,iframe,[contenteditable]:not([contenteditable=false])";

/** Returns the document and every open shadow root in it, except the popup's own. */
export function rootsOf(root: Document | ShadowRoot = document): (Document | ShadowRoot)[] {
  const inner = [...root.querySelectorAll("*:not(cfbe-popup)")]
    .flatMap(({ shadowRoot }) => shadowRoot ? rootsOf(shadowRoot) : []);
  return [root, ...inner];
}

/**
 * Returns whether an element or one of its descendants is visible in the viewport. Descendants are checked because
 * banners are often positioned children of an element without a size.
 *
 * @param minShare share of the viewport that the element, or a descendant, must cover, from 0 to 1
 * @param minSize width and height in pixels to assume for smaller elements
 */
function isVisible(element: Element, minShare = 0, minSize = 0): boolean {
  // Safari before 17.4 lacks this method. There, elements that are laid out count as visible.
  if (element.checkVisibility?.({ opacityProperty: true, visibilityProperty: true }) === false) return false;
  const { top, left, bottom, right } = element.getBoundingClientRect();
  const height = Math.min(Math.max(bottom, top + minSize), innerHeight) - Math.max(top, 0);
  const width = Math.min(Math.max(right, left + minSize), innerWidth) - Math.max(left, 0);
  // The rectangle of an element that is not displayed is at the top left of the viewport.
  return !!element.getClientRects()[0] && height > 0 && width > 0 &&
      height * width > minShare * innerHeight * innerWidth ||
    [...element.children, ...element.shadowRoot?.children ?? []].some((child) => isVisible(child, minShare));
}

let warned: boolean | undefined;

/** Returns the elements that match a selector from the settings. An invalid selector causes one warning. */
function find(root: Document | ShadowRoot, selector: string): Element[] {
  try {
    return selector ? [...root.querySelectorAll(selector)] : [];
  } catch {
    if (!warned) console.warn("[cfbe] invalid selector:", selector);
    warned = true;
    return [];
  }
}

function focusedElement(root: Document | ShadowRoot = document): Element | null {
  const { activeElement } = root;
  return activeElement?.shadowRoot
    ? focusedElement(activeElement.shadowRoot) ?? activeElement
    : activeElement;
}

/** Returns which kinds of elements in these roots currently block the popup. */
export function blockersIn(
  roots: (Document | ShadowRoot)[],
  { cookieBarSelector = "" }: Partial<PopupRules>,
): PopupBlocker[] {
  const visible = (selector: string, minShare?: number, minSize?: number) =>
    roots.some((root) => find(root, selector).some((element) => isVisible(element, minShare, minSize)));
  const blocked: Partial<Record<PopupBlocker, boolean>> = {
    "cookie-bar": visible(cookieBarSelector),
    // A small non-modal dialog may be a chat window, which does not block the popup.
    dialog: visible("dialog[open],[aria-modal=true],[role~=alertdialog]") || visible("[role~=dialog]", 0.5),
    // A form may have no size until its code is loaded. One with `off` is not shown, and may only reserve its height.
    "inline-form": visible("cfbe-form:not([off]),form[data-cfbe-form]", 0, 1),
    field: !!focusedElement()?.matches(FIELD),
  };
  return (Object.keys(blocked) as PopupBlocker[]).filter((name) => blocked[name]);
}
