import type { Context } from "../host/context.ts";

const FORMS = "cfbe-form,[data-cfbe-form]";
/** How far from the viewport a form's code is fetched: about a screen ahead of a reader who scrolls. */
const NEAR = "600px";
const PREFIX = "data-cfbe-";

/** `<div data-cfbe-form="…">` stands for an element that a site's editor strips: it gets one inside. */
function standIn(div: Element): Element {
  const form = document.createElement("cfbe-form");
  for (const { name, value } of div.attributes) {
    if (name.startsWith(PREFIX)) form.setAttribute(name.slice(PREFIX.length), value);
  }
  // What the page shows without script moves along: it stays until the form takes its place.
  form.append(...div.childNodes);
  div.append(form);
  return form;
}

/**
 * Finds forms and starts each when it comes near.
 *
 * @param manual whether only `scan` finds, and not the page's own changes
 * @returns looks for forms in a part of the page
 */
export function createFinder(context: Context, manual: boolean): (root?: ParentNode) => void {
  const claimed = new WeakSet<Element>();
  /** How to end a form of the page's own markup, which can't know by itself that it was removed. */
  const ends = new WeakMap<Element, () => void>();

  const start = async (found: Element) => {
    const element = found.matches("form,cfbe-form") ? found : standIn(found);
    claimed.add(element);
    try {
      // At once: the part asks for them only when it is there.
      context.settings(context.localeOf(element)).catch(() => {});
      if (element instanceof HTMLFormElement) {
        const end = await (await context.load("own")).start(element, context);
        if (element.isConnected) ends.set(element, end);
        // Removed while the code was on its way: then nobody else will tell.
        else if (claimed.delete(element)) end();
      } else await (await context.load("form")).start(element, context);
    } catch (error) {
      console.warn("[cfbe] a form could not be loaded", error);
      addEventListener("online", () => start(element), { once: true });
    }
  };

  const near = new IntersectionObserver((entries) => {
    for (const { isIntersecting, target } of entries) {
      if (!isIntersecting) continue;
      near.unobserve(target);
      start(target);
    }
  }, { rootMargin: NEAR });

  // Of a text there is neither the one nor the other, of a document and a shadow root only what is in it.
  const within = (root: Node, selector: string) => {
    const top = root as Element;
    return [top, ...top.querySelectorAll?.(selector) ?? []].filter((found) => found.matches?.(selector));
  };

  const scan = (root: Node = document) => {
    for (const element of within(root, FORMS)) {
      if (claimed.has(element)) continue;
      claimed.add(element);
      if (element.matches("[loading=eager],[data-cfbe-loading=eager]")) start(element);
      else near.observe(element);
    }
  };

  new MutationObserver((records) => {
    for (const { addedNodes, removedNodes } of records) {
      for (const node of removedNodes) {
        for (const form of within(node, "form")) {
          if (form.isConnected || !ends.has(form)) continue;
          ends.get(form)!();
          ends.delete(form);
          claimed.delete(form);
        }
      }
      if (!manual) addedNodes.forEach((node) => scan(node));
    }
  }).observe(document, { childList: true, subtree: true });

  if (!manual) scan();
  return scan;
}
