/**
 * Watches for what may make the page another one without loading it: a single-page application that goes on, and
 * what it then draws, for pages are also known by their marks.
 *
 * Where there is no Navigation API, a page that goes on is noticed when it draws: `history` is left as it is.
 *
 * @param changed is called after each such change
 * @param signal ends it
 */
export function watchAddress(changed: () => void, signal: AbortSignal): void {
  const { navigation = self } = self as { navigation?: EventTarget };
  for (const name of ["currententrychange", "popstate"]) {
    navigation.addEventListener(name, changed, { signal });
  }
  const drawn = new MutationObserver(changed);
  drawn.observe(document, { subtree: true, childList: true, attributeFilter: ["class", "data-cfbe-page"] });
  signal.addEventListener("abort", () => drawn.disconnect());
}
