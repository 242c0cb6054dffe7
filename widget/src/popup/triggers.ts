/** Triggers that few forms have: inactivity, an element in the window, a click. Loaded only if a form has one. */
import type { MoreTriggers } from "../../../shared/public_settings.ts";
import type { PopupBlocker } from "../types.ts";

/** How often, at most, a page that changes is searched for elements, in milliseconds. */
const SEARCH_DELAY_MS = 300;

type Open = () => Promise<unknown>;
type Blockers = (more: PopupBlocker[]) => PopupBlocker[];

/** Identifies the page, as a single-page application may keep it in the URL. An anchor does not belong to it. */
const currentPage = () => location.href.replace(/#(?!!?\/).*/, "");

/**
 * Watches the page until a trigger fires.
 *
 * @param onFire is called after each time that a trigger has fired
 * @param open opens the form because the visitor asked for it
 * @param blockers returns what blocks the form now besides elements of the page, and these blockers
 * @param roots returns the document and its open shadow roots
 * @param signal stops watching, except for clicks: visitors may ask for a form at any time
 * @returns a function that returns whether a trigger has fired on the current page
 */
export function watchTriggers(
  { inactiveSeconds, seenSelector, clickSelector }: MoreTriggers,
  onFire: () => void,
  open: Open,
  blockers: Blockers,
  roots: () => ParentNode[],
  signal: AbortSignal,
): () => boolean {
  let firedOn: string | undefined;
  const fire = () => {
    firedOn = currentPage();
    onFire();
  };
  if (clickSelector) openOnClick(clickSelector, open, blockers);
  if (!signal.aborted) {
    if (inactiveSeconds) watchInactivity(inactiveSeconds * 1000, fire, signal);
    if (seenSelector) watchElements(seenSelector, fire, roots, signal);
  }
  return () => firedOn === currentPage();
}

function watchInactivity(ms: number, fire: () => void, signal: AbortSignal): void {
  let timer: ReturnType<typeof setInterval> | undefined;
  // An interval, because a single-page application may navigate without input.
  const restart = () => {
    clearInterval(timer);
    timer = setInterval(() => document.hidden || fire(), ms);
  };
  for (const name of ["pointerdown", "pointermove", "keydown", "scroll", "visibilitychange"]) {
    addEventListener(name, restart, { signal, passive: true, capture: true });
  }
  signal.addEventListener("abort", () => clearInterval(timer));
  restart();
}

function watchElements(
  selector: string,
  fire: () => void,
  roots: () => ParentNode[],
  signal: AbortSignal,
): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const seen = new IntersectionObserver((entries) => {
    if (entries.some(({ isIntersecting }) => isIntersecting)) fire();
  });
  const search = () => {
    timer = undefined;
    // Observing an element again reports it again, because the page may be another one now.
    seen.disconnect();
    for (const root of roots()) {
      changes.observe(root, { subtree: true, childList: true });
      root.querySelectorAll(selector).forEach((element) => seen.observe(element));
    }
  };
  const changes = new MutationObserver(() => timer ??= setTimeout(search, SEARCH_DELAY_MS));
  signal.addEventListener("abort", () => {
    clearTimeout(timer);
    seen.disconnect();
    changes.disconnect();
  });
  search();
}

function openOnClick(selector: string, open: Open, blockers: Blockers): void {
  document.addEventListener("click", (event) => {
    const { target, isTrusted, metaKey, ctrlKey, shiftKey } = event;
    const element = (target as Element).closest?.(selector);
    if (
      !element || !isTrusted || metaKey || ctrlKey || shiftKey ||
      // The selector may match an element around the form itself, such as the body.
      (target as Element).closest("cfbe-popup") ||
      // Where the form stays closed, such as in the cart, the click must not be lost.
      blockers([]).some((name) => name === "shop-page" || name === "excluded-path")
    ) return;
    // A link opens the form instead of its page.
    if (element.closest("a")) event.preventDefault();
    open().catch(console.warn);
    // Before the page's own listeners, because a router would follow the link.
  }, true);
}
