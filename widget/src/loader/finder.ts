import { attributeOf } from "../host/attribute.ts";
import type { Context } from "../host/context.ts";

const FORMS = "cfbe-form,[data-cfbe-form]";
/** Distance from the viewport at which a form's code is loaded: about one screen ahead of a scrolling reader. */
const LOAD_MARGIN = "600px";

/**
 * Finds forms and starts each one when it comes close to the viewport.
 *
 * @param manual whether to look for forms only when the page calls `scan`
 * @param retries functions to call when the server may be reachable again
 * @returns `cfbe.scan`
 */
export function createFinder(
  context: Context,
  manual: boolean,
  retries: Set<() => void>,
): (root?: ParentNode) => void {
  /** Every form found, with a function that cleans up after its removal. Custom elements do so themselves. */
  const cleanups = new WeakMap<Element, (() => void) | void>();

  const start = async (element: Element) => {
    cleanups.set(element, undefined);
    try {
      // Fetched in parallel with the code, which requests them only once it is loaded: the settings, and the parts that
      // the form's layout needs, if the snippet names them.
      context.settings(context.locales(element)).catch(() => {});
      attributeOf(element, "preload")?.split(" ").map((part) =>
        context.load(part as "layout").catch(() => {})
      );
      const { start } = await context.load(element.matches("form") ? "own" : "form");
      cleanups.set(element, await start(element as HTMLFormElement, context));
    } catch (error) {
      console.warn("[cfbe] form not loaded", error);
      const retry = () => start(element);
      retries.add(retry);
      cleanups.set(element, () => retries.delete(retry));
    }
    // The form may have been removed while its code was loading.
    cleanUpIfRemoved(element);
  };

  const cleanUpIfRemoved = (element: Element) => {
    const cleanup = cleanups.get(element);
    if (!cleanup || element.isConnected) return;
    cleanup();
    cleanups.delete(element);
  };

  // Also called on other occasions: the server may be reachable again without an `online` event.
  const retryAll = () => retries.forEach((retry) => retries.delete(retry) && retry());
  addEventListener("online", retryAll);

  const nearby = new IntersectionObserver((entries) => {
    entries.forEach(({ isIntersecting, target }) => {
      if (!isIntersecting) return;
      nearby.unobserve(target);
      retryAll();
      start(target);
    });
  }, { rootMargin: LOAD_MARGIN });

  // Text nodes have neither method. Documents and shadow roots have only `querySelectorAll`.
  const formsIn = (root: Element) =>
    [root, ...root.querySelectorAll?.(FORMS) ?? []].filter((found) => found.matches?.(FORMS));

  const scan = (root: Node = document) => {
    for (const element of formsIn(root as Element)) {
      if (cleanups.has(element)) continue;
      cleanups.set(element, () => nearby.unobserve(element));
      if (attributeOf(element, "loading") === "eager") start(element);
      else nearby.observe(element);
    }
  };

  new MutationObserver((records) => {
    for (const { addedNodes, removedNodes } of records) {
      removedNodes.forEach((node) => formsIn(node as Element).forEach(cleanUpIfRemoved));
      if (!manual) addedNodes.forEach((node) => scan(node));
    }
  }).observe(document, { childList: true, subtree: true });

  if (!manual) scan();
  return (root) => {
    retryAll();
    scan(root);
  };
}
