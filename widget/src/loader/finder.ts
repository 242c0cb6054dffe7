import type { Context } from "../host/context.ts";

const FORMS = "cfbe-form,[data-cfbe-form]";
/** How far from the viewport a form's code is fetched: about a screen ahead of a reader who scrolls. */
const NEAR = "600px";
const PREFIX = "data-cfbe-";

/** `<div data-cfbe-form="…">` stands for an element that a site's editor strips: it gets one inside. */
function standIn(div: Element): Element {
  const form = document.createElement("cfbe-form");
  for (const { name, value } of div.attributes) {
    const [, own] = name.split(PREFIX);
    if (own) form.setAttribute(own, value);
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
 * @param missed what could not be done because the server could not be asked
 * @returns looks for forms in a part of the page
 */
export function createFinder(
  context: Context,
  manual: boolean,
  missed: Set<() => void>,
): (root?: ParentNode) => void {
  /** Every form that was found, and how to let go of it when it is removed, as long as it can't do so by itself. */
  const claims = new WeakMap<Element, (() => void) | void>();

  const start = async (found: Element) => {
    const element = found.matches("form,cfbe-form") ? found : standIn(found);
    let end: (() => void) | void = undefined;
    claims.set(found, end).set(element, end);
    try {
      // At once: the part asks for them only when it is there.
      context.settings(context.localeOf(element)).catch(() => {});
      const { start } = await context.load(element instanceof HTMLFormElement ? "own" : "form");
      end = await start(element as HTMLFormElement, context);
    } catch (error) {
      console.warn("[cfbe] a form could not be loaded", error);
      const again = () => start(element);
      missed.add(again);
      end = () => missed.delete(again);
    }
    claims.set(element, end);
    // Removed while the code was on its way: then nobody else will tell.
    letGo(element);
  };

  const letGo = (element: Element) => {
    const end = claims.get(element);
    if (!end || element.isConnected) return;
    end();
    claims.delete(element);
  };

  // Also when something else needs the server: what stood in the way may have gone without the network.
  const retry = () => {
    for (const miss of missed) {
      missed.delete(miss);
      miss();
    }
  };
  addEventListener("online", retry);

  const near = new IntersectionObserver((entries) => {
    for (const { isIntersecting, target } of entries) {
      if (!isIntersecting) continue;
      near.unobserve(target);
      retry();
      start(target);
    }
  }, { rootMargin: NEAR });

  // Of a text there is neither the one nor the other, of a document and a shadow root only what is in it.
  const within = (root: Element) =>
    [root, ...root.querySelectorAll?.(FORMS) ?? []].filter((found) => found.matches?.(FORMS));

  const scan = (root: Node = document) => {
    for (const element of within(root as Element)) {
      if (claims.has(element)) continue;
      claims.set(element, () => near.unobserve(element));
      if (element.matches("[loading=eager],[data-cfbe-loading=eager]")) start(element);
      else near.observe(element);
    }
  };

  new MutationObserver((records) => {
    for (const { addedNodes, removedNodes } of records) {
      for (const node of removedNodes) within(node as Element).forEach(letGo);
      if (!manual) addedNodes.forEach((node) => scan(node));
    }
  }).observe(document, { childList: true, subtree: true });

  if (!manual) scan();
  return (root) => {
    retry();
    scan(root);
  };
}
