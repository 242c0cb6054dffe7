/**
 * Watches for navigation within a single-page application, and for changes of the page that identify its type.
 *
 * Without the Navigation API, navigation is noticed when the page renders. `history` is never patched.
 *
 * @param onChange is called after each such change
 * @param signal stops watching
 */
export function watchNavigation(onChange: () => void, signal: AbortSignal): void {
  const { navigation = self } = self as { navigation?: EventTarget };
  for (const name of ["currententrychange", "popstate"]) {
    navigation.addEventListener(name, onChange, { signal });
  }
  const observer = new MutationObserver(onChange);
  observer.observe(document, {
    subtree: true,
    childList: true,
    attributeFilter: ["class", "data-cfbe-page"],
  });
  signal.addEventListener("abort", () => observer.disconnect());
}
