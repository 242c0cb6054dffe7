/** Finds the elements of a page that currently block the popup. */
import type { PopupRules } from "../../../shared/public_settings.ts";
import type { PopupBlocker } from "../types.ts";

const FIELD = "input:not([type=button],[type=submit],[type=reset],[type=checkbox],[type=radio])," +
  // The focus inside a cross-origin frame is unknown: it may be in a card number field.
  "textarea,select,iframe,[contenteditable]:not([contenteditable=false])";

/** Returns the document and every open shadow root in it, except the popup's own. */
export function rootsOf(root: Document | ShadowRoot = document): (Document | ShadowRoot)[] {
  return [
    root,
    ...[...root.querySelectorAll("*:not(cfbe-popup)")]
      .flatMap(({ shadowRoot }) => shadowRoot ? rootsOf(shadowRoot) : []),
  ];
}

/**
 * Returns whether an element or one of its descendants is visible in the viewport. Descendants are checked because
 * banners are often positioned children of an element without a size, unless the element clips them, like one that is
 * collapsed.
 *
 * @param minSize width and height in pixels to assume for smaller elements. Without it, those that are a pixel wide or
 * high are invisible, because they are for screen readers only
 */
function isVisible(element: Element, minSize = 0): boolean {
  const { top, left, bottom, right, width, height } = element.getBoundingClientRect();
  // The rectangle of an element that is not displayed is at the top left of the viewport.
  // Safari before 17.4 lacks `checkVisibility`. There, elements that are laid out count as visible.
  return element.checkVisibility?.({ opacityProperty: true, visibilityProperty: true }) !== false &&
    ((minSize ? !!element.getClientRects()[0] : width > 1 && height > 1) &&
        Math.max(bottom, top + minSize) > 0 && top < innerHeight &&
        Math.max(right, left + minSize) > 0 && left < innerWidth ||
      getComputedStyle(element).overflow === "visible" &&
        [...element.children, ...element.shadowRoot?.children ?? []].some((child) => isVisible(child)));
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

function focusedElement({ activeElement }: Document | ShadowRoot = document): Element | null {
  return activeElement?.shadowRoot && focusedElement(activeElement.shadowRoot) || activeElement;
}

/** Returns which kinds of elements in these roots currently block the popup. */
export function blockersIn(
  roots: (Document | ShadowRoot)[],
  { cookieBarSelector = "" }: Partial<PopupRules>,
): PopupBlocker[] {
  const visible = (selector: string, minSize?: number) =>
    roots.some((root) => find(root, selector).some((element) => isVisible(element, minSize)));
  const blocked: Partial<Record<PopupBlocker, boolean>> = {
    "cookie-bar": visible(cookieBarSelector),
    // `dialog` and `alertdialog`. Closed dialogs that stay on screen, behind the page, are hidden from screen readers.
    dialog: visible(
      "dialog[open],:is(body :fullscreen,[aria-modal=true],[role$=dialog]):not([aria-hidden=true])",
    ),
    // A form may have no size until its code is loaded. One with `off` is not shown, and may only reserve its height.
    "inline-form": visible("cfbe-form:not([off]),[data-cfbe-form]:not(:has([off]))", 1),
    field: !!focusedElement()?.matches(FIELD),
  };
  return (Object.keys(blocked) as PopupBlocker[]).filter((name) => blocked[name]);
}
