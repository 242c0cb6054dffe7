import type { TokenKeeper } from "../signup/token.ts";

/** Much shorter than the token's lifetime of two hours; most checks send no request. */
const CHECK_INTERVAL_MS = 5 * 60_000;

/**
 * Fetches a form's token when the form first becomes visible, and keeps it fresh while the visitor is on the page.
 *
 * @returns a controller; aborting it removes all listeners and timers
 */
export function keepTokenFresh(element: Element, keeper: TokenKeeper): AbortController {
  let timer: ReturnType<typeof setInterval> | undefined;
  const controller = new AbortController();
  const check = () => document.hidden || keeper.prefetch();

  const observer = new IntersectionObserver((entries) => {
    if (!entries.some((entry) => entry.isIntersecting)) return;
    observer.disconnect();
    keeper.prefetch();
    timer = setInterval(check, CHECK_INTERVAL_MS);
    // Also fires when a visitor returns after the machine has slept.
    document.addEventListener("visibilitychange", check, controller);
    addEventListener("pageshow", (event) => event.persisted && keeper.renew(), controller);
  });
  observer.observe(element);

  controller.signal.onabort = () => {
    observer.disconnect();
    clearInterval(timer);
  };
  return controller;
}
