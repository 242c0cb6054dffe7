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

/** The page that the visitor is on, and when. */
export interface VisitedPlace extends Place {
  hidden: boolean;
  /** Unix milliseconds. */
  now: number;
}

/**
 * Returns the page's state and the time, each clock read once, without what is found separately: blockers, because that
 * is expensive, and the results of other parts.
 */
export type ViewPage = () => VisitedPlace & Omit<PageView, "blockers" | "targeted" | "fired">;

/**
 * Watches the page.
 *
 * @param onChange is called when something happened that may change the result of the rules
 * @param onNavigate is called before `onChange` when a single-page application has navigated
 * @param signal stops watching
 */
export function watchPage(onChange: () => void, onNavigate: () => void, signal: AbortSignal): ViewPage {
  let visibleBefore = 0;
  let since = performance.now();
  let scrolledPercent = 0;
  let pointerLeft = false;
  let hidden = document.hidden;

  const visibleAt = (now: number) => visibleBefore + (hidden ? 0 : now - since);
  // Capturing, because scrolling does not bubble, and a page may stop other events.
  const options = { signal, passive: true, capture: true };

  document.addEventListener("visibilitychange", () => {
    const now = performance.now();
    visibleBefore = visibleAt(now);
    since = now;
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
      scrolledPercent = Math.max(scrolledPercent, scroller!.scrollTop / range * 100);
    }
    onChange();
  }, options);
  document.addEventListener("mouseout", ({ relatedTarget, clientY }) => {
    if (relatedTarget || clientY > 0) return;
    pointerLeft = true;
    onChange();
  }, options);
  // Blockers can disappear with any of these events, and code that failed to load can load when the network is back.
  for (
    const name of [
      "resize",
      "click",
      "focusout",
      "transitionend",
      "animationend",
      "online",
    ]
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
    navigation.addEventListener(name, onNavigated, options);
  }

  return () => ({
    ...currentPlace(),
    now: Date.now(),
    hidden,
    visibleMs: visibleAt(performance.now()),
    scrolledPercent,
    pointerLeft,
  });
}
