/** What the page is, and what has happened on it: read, never asked again and again. */
import type { PageView, Place } from "../../../shared/popup_rules.ts";

/** Where the visitor is. */
export function placeOf(): Place {
  // The fragment counts where a router keeps the path in it: `#/cart`, `#!/cart`.
  const [, fragment = ""] = location.hash.match(/^#!?(\/.*)/) ?? [];
  return {
    path: location.pathname + fragment,
    classes: [...document.body.classList],
    marks: [...document.querySelectorAll("[data-cfbe-page]")].map((marked) =>
      marked.getAttribute("data-cfbe-page")!
    ),
  };
}

/** The page without what stands in the way. */
export type Seen = Omit<PageView, "blockers">;

export interface PageWatch {
  view(): Seen;
  /** Milliseconds until the page has been visible for so long; undefined while it is not, or when it has been. */
  until(visibleMs: number): number | undefined;
}

/**
 * Watches the page.
 *
 * @param changed is called when something happened that may change what the rules say
 * @param navigated is called in front of that when a single-page application has gone on to another address
 * @param signal ends it
 */
export function watchPage(changed: () => void, navigated: () => void, signal: AbortSignal): PageWatch {
  let visible = 0;
  let since = performance.now();
  let scrolled = 0;
  let left = false;
  let hidden = document.hidden;

  // A clock that steps back must not take away from what was seen.
  const visibleMs = () => visible + (hidden ? 0 : Math.max(0, performance.now() - since));
  const options = { signal, passive: true };

  document.addEventListener("visibilitychange", () => {
    visible = visibleMs();
    since = performance.now();
    // While it is prerendered a page is hidden as well.
    hidden = document.hidden;
    changed();
  }, options);
  addEventListener("scroll", ({ target }) => {
    // Some pages stand still, and scroll in an element that fills them.
    const box = target instanceof Element ? target : document.scrollingElement;
    const room = box ? box.scrollHeight - box.clientHeight : 0;
    // Without room nothing can be scrolled; and a rubber band goes below the end.
    if (room > 0 && box!.clientHeight * 2 > innerHeight) {
      scrolled = Math.max(scrolled, Math.min(100, box!.scrollTop / room * 100));
    }
    changed();
  }, { ...options, capture: true });
  document.addEventListener("mouseout", ({ relatedTarget, clientY }) => {
    if (relatedTarget || clientY > 0) return;
    left = true;
    changed();
  }, options);
  // What is in the way can go by any of these.
  for (const name of ["resize", "pageshow", "focusin", "focusout", "transitionend", "animationend"]) {
    addEventListener(name, changed, options);
  }

  const onNavigated = () => {
    scrolled = 0;
    left = false;
    navigated();
    changed();
  };
  // Where there is no Navigation API, history is left as it is all the same: a router also draws the page it goes to.
  const { navigation = self } = self as { navigation?: EventTarget };
  for (const name of ["navigatesuccess", "popstate"]) {
    navigation.addEventListener(name, onNavigated, { signal });
  }

  return {
    view: () => ({ ...placeOf(), hidden, visibleMs: visibleMs(), scrolled, left }),
    until(wanted) {
      const rest = wanted - visibleMs();
      return hidden || rest <= 0 ? undefined : rest;
    },
  };
}
