/** The page around a form: what happens to it, and when a form comes to be seen. */
import type { TokenKeeper } from "../signup/token.ts";

/** Often enough to be well inside the two hours, seldom enough to cost nothing. */
const CHECK_EVERY_MS = 5 * 60_000;

/**
 * Fetches a form's token when the form is first seen, and keeps it fresh while the visitor is there.
 *
 * @returns its life: aborting it leaves no listener and no timer
 */
export function keepFresh(element: Element, keeper: TokenKeeper): AbortController {
  let timer: ReturnType<typeof setInterval> | undefined;
  const life = new AbortController();
  const check = () => document.hidden || keeper.warm();

  const seen = new IntersectionObserver((entries) => {
    if (!entries.some((entry) => entry.isIntersecting)) return;
    seen.disconnect();
    keeper.warm();
    timer = setInterval(check, CHECK_EVERY_MS);
    // Coming back to the tab is also how a visitor comes back after the machine slept.
    document.addEventListener("visibilitychange", check, life);
    addEventListener("pageshow", (event) => event.persisted && keeper.renew(), life);
  });
  seen.observe(element);

  life.signal.onabort = () => {
    seen.disconnect();
    clearInterval(timer);
  };
  return life;
}
