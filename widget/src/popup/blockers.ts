/** What stands in the popup's way: read from the page as it is at this moment. */
import type { PopupRules } from "../../../shared/public_settings.ts";
import type { PopupBlocker } from "../types.ts";

const FIELD = "input:not([type=button],[type=submit],[type=reset],[type=checkbox],[type=radio])," +
  // In a frame of another origin nobody knows what has the focus: it may be the number of a card.
  "textarea,select,iframe,[contenteditable]:not([contenteditable=false])";

/** The document and every open shadow root in it but the popup's own. */
export function rootsOf(root: Document | ShadowRoot = document): (Document | ShadowRoot)[] {
  const inner = [...root.querySelectorAll("*:not(cfbe-popup)")]
    .flatMap(({ shadowRoot }) => shadowRoot ? rootsOf(shadowRoot) : []);
  return [root, ...inner];
}

/**
 * Whether some of an element can be seen. Bars are often children, laid out freely, of an element without a size.
 *
 * @param share how much of the viewport the element, or one in it, has to cover, from 0 to 1
 * @param least the size in pixels that an element counts with if it has less
 */
function isSeen(element: Element, share = 0, least = 0): boolean {
  // Safari has it since 17.4; before, what is laid out counts as seen.
  if (element.checkVisibility?.({ opacityProperty: true, visibilityProperty: true }) === false) return false;
  const { top, left, bottom, right } = element.getBoundingClientRect();
  const height = Math.min(Math.max(bottom, top + least), innerHeight) - Math.max(top, 0);
  const width = Math.min(Math.max(right, left + least), innerWidth) - Math.max(left, 0);
  // What is not displayed has no box, and would lie in the corner of the screen.
  return !!element.getClientRects()[0] && height > 0 && width > 0 &&
      height * width > share * innerHeight * innerWidth ||
    [...element.children, ...element.shadowRoot?.children ?? []].some((child) => isSeen(child, share));
}

let warned = false;

/** What an owner's selector finds; one that is none finds nothing, and is told of once. */
function find(root: Document | ShadowRoot, selector: string): Element[] {
  try {
    return selector ? [...root.querySelectorAll(selector)] : [];
  } catch {
    if (!warned) console.warn("[cfbe] not a selector:", selector);
    warned = true;
    return [];
  }
}

function focused(root: Document | ShadowRoot = document): Element | null {
  const { activeElement } = root;
  return activeElement?.shadowRoot ? focused(activeElement.shadowRoot) ?? activeElement : activeElement;
}

/**
 * Names what is in the way.
 *
 * @param roots where to look
 */
export function blockersIn(
  roots: (Document | ShadowRoot)[],
  { cookieBarSelector = "" }: Partial<PopupRules>,
): PopupBlocker[] {
  const seen = (selector: string, share?: number, least?: number) =>
    roots.some((root) => find(root, selector).some((element) => isSeen(element, share, least)));
  const held: Partial<Record<PopupBlocker, boolean>> = {
    "cookie-bar": seen(cookieBarSelector),
    // One that is a dialog by its role alone may be a chat in a corner.
    dialog: seen("dialog[open],[aria-modal=true],[role~=alertdialog]") || seen("[role~=dialog]", 0.5),
    // Until its code is there a form may have no size.
    "inline-form": seen("cfbe-form,[data-cfbe-form]", 0, 1),
    field: !!focused()?.matches(FIELD),
  };
  return (Object.keys(held) as PopupBlocker[]).filter((name) => held[name]);
}
