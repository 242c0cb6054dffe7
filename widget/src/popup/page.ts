/** Tracks what the popup's rules need to know about the page. Uses events only, without polling. */
import type { PageView, Place } from "../../../shared/popup_rules.ts";

/** Returns the page that the visitor is on. */
export function currentPlace(): Place {
  // Some routers keep the path in the fragment: `#/cart`, `#!/cart`.
  const [, fragment = ""] = location.hash.match(/^#!?(\/.*)/) ?? [];
  return {
    path: location.pathname + fragment,
    classes: [...document.body.classList],
    pageTypes: [...document.querySelectorAll("[data-cfbe-page]")].map((element) =>
      element.getAttribute("data-cfbe-page")!
    ),
  };
}

export interface PageWatch {
  /** Returns the page's state, without what is found separately: blockers, because that is expensive, and the results of other parts. */
  view(): Omit<PageView, "blockers" | "targeted" | "fired">;
  /**
   * Returns the milliseconds until the page has been visible for `visibleMs`: 0 or less if it already has been, 0 while
   * it is hidden.
   */
  timeUntil(visibleMs: number): number;
}

/**
 * Watches the page.
 *
 * @param onChange is called when something happened that may change the result of the rules
 * @param onNavigate is called before `onChange` when a single-page application has navigated
 * @param signal stops watching
 */
export function watchPage(onChange: () => void, onNavigate: () => void, signal: AbortSignal): PageWatch {
  let visibleBefore = 0;
  let since = performance.now();
  let scrolledPercent = 0;
  let pointerLeft = false;
  let hidden = document.hidden;

  // Never decreases, even if the clock steps back.
  const visibleMs = () => visibleBefore + (hidden ? 0 : Math.max(0, performance.now() - since));
  const options = { signal, passive: true };

  document.addEventListener("visibilitychange", () => {
    visibleBefore = visibleMs();
    since = performance.now();
    // Prerendered pages are hidden as well.
    hidden = document.hidden;
    onChange();
  }, options);
  addEventListener("scroll", ({ target }) => {
    // Some pages scroll in an element that fills the viewport.
    const scroller = target instanceof Element ? target : document.scrollingElement;
    const range = scroller ? scroller.scrollHeight - scroller.clientHeight : 0;
    if (range > 0 && scroller!.clientHeight * 2 > innerHeight) {
      // Elastic scrolling can exceed 100 percent.
      scrolledPercent = Math.max(scrolledPercent, Math.min(100, scroller!.scrollTop / range * 100));
    }
    onChange();
  }, { ...options, capture: true });
  document.addEventListener("mouseout", ({ relatedTarget, clientY }) => {
    if (relatedTarget || clientY > 0) return;
    pointerLeft = true;
    onChange();
  }, options);
  // Blockers can disappear with any of these events, and code that failed to load can load when the network is back.
  for (
    const name of ["resize", "pageshow", "focusin", "focusout", "transitionend", "animationend", "online"]
  ) {
    addEventListener(name, onChange, options);
  }

  const onNavigated = () => {
    scrolledPercent = 0;
    pointerLeft = false;
    onNavigate();
    onChange();
  };
  // `history` is never patched. Without the Navigation API, `pushState` is noticed when the router renders the page.
  const { navigation = self } = self as { navigation?: EventTarget };
  for (const name of ["navigatesuccess", "popstate"]) {
    navigation.addEventListener(name, onNavigated, { signal });
  }

  return {
    view: () => ({ ...currentPlace(), hidden, visibleMs: visibleMs(), scrolledPercent, pointerLeft }),
    timeUntil: (wanted) => hidden ? 0 : wanted - visibleMs(),
  };
}
